// What a category sets in a request, and what of the request's own goes before it.

#include "lifecycle/category.h"

#include <doctest/doctest.h>

#include "lifecycle/tables.h"

using namespace haul;

namespace {

const std::vector<Category> kKnown{
    {.name = "films",
     .label = "Films",
     .folder = "films/new",
     .limits = {{.name = "speed_limit", .text = "2048", .json = "2048"},
                {.name = "per_host", .text = "2", .json = "2"},
                {.name = "delay", .text = "5s", .json = R"("5s")"}}},
    {.name = "plain"}};

// The request with what its category sets, or the refusal.
std::string shown(const std::string& request, std::span<const Category> known = kKnown) {
  const auto fields = with_category(kBatch.request, read_object(request).value(), known);
  if (!fields) return fields.error().code + " " + fields.error().field + ": " + fields.error().why;
  std::string out;
  for (const JsonField& field : *fields)
    out += (out.empty() ? "" : ",") + json_quoted(field.name) + ":" + field.json;
  return canonical("{" + out + "}").value();
}

std::string limits(const std::string& own) {
  const std::string all = shown(R"({"category":"films","folder":"x","limits":)" + own + "}");
  const auto fields = read_object(all).value();
  return find_field(fields, "limits")->json;
}

}  // namespace

TEST_CASE("a category sets the folder and the limits of a request that has none") {
  CHECK(shown(R"({"category":"films","url":"http://h/a"})") ==
        R"({"category":"films","folder":"films/new",)"
        R"("limits":{"delay":"5s","per_host":2,"speed_limit":2048},"url":"http://h/a"})");
  CHECK(shown(R"({"category":"plain","url":"http://h/a"})") ==
        R"({"category":"plain","url":"http://h/a"})");
  for (const char* without : {R"({"url":"http://h/a"})", R"({"category":null})",
                              R"({"category":""})", R"({"category":7})"})
    CHECK(shown(without) == without);
}

TEST_CASE("the folder of a request goes before the category's, unless it is empty") {
  const auto folder = [](const std::string& own) {
    const std::string all = shown(R"({"category":"films","folder":)" + own + "}");
    return find_field(read_object(all).value(), "folder")->json;
  };
  CHECK(folder(R"("music")") == R"("music")");
  CHECK(folder(R"("")") == R"("films/new")");
  CHECK(folder("null") == R"("films/new")");
  CHECK(folder("7") == "7");  // The check of the request refuses it.
}

TEST_CASE("Z-11: a limit of the request holds if it is tighter than the category's") {
  CHECK(limits(R"({"speed_limit":2047})").contains(R"("speed_limit":2047)"));
  CHECK(limits(R"({"speed_limit":2049})").contains(R"("speed_limit":2048)"));
  CHECK(limits(R"({"speed_limit":0})").contains(R"("speed_limit":2048)"));
  CHECK(limits(R"({"per_host":1})").contains(R"("per_host":1)"));
  CHECK(limits(R"({"per_host":3})").contains(R"("per_host":2)"));
  CHECK(limits(R"({"delay":"5001ms"})").contains(R"("delay":"5001ms")"));
  CHECK(limits(R"({"delay":"4999ms"})").contains(R"("delay":"5s")"));
  CHECK(limits(R"({"delay":0})").contains(R"("delay":"5s")"));
  CHECK(limits(R"({"retries":1})") ==
        R"({"delay":"5s","per_host":2,"retries":1,"speed_limit":2048})");
  CHECK(limits(R"({"delay":"soon"})").contains(R"("delay":"soon")"));  // Refused by the check.
  CHECK(limits("7") == "7");
}

TEST_CASE("an unknown category is refused with the known ones") {
  CHECK(shown(R"({"category":"musik"})") == "unknown_category category: expected films or plain");
  CHECK(shown(R"({"category":"films"})", {}) ==
        "unknown_category category: no category is configured ([category.NAME])");
}

TEST_CASE("the category of a stored request is read, also where a URL looks like one") {
  const auto of = [](const std::string& request) { return category_of(kBatch.request, request); };
  CHECK(of(R"({"category":"films","url":"http://h/a"})") == "films");
  CHECK(of(R"({"url":"http://h/a"})").empty());
  CHECK(of(R"({"filters":{"category":"films"},"url":"http://h/a"})").empty());
  CHECK(category_of(kBook.request, R"({"category":"films"})").empty());
}

TEST_CASE("a category's name has 1 to 32 of a to z, 0 to 9, - and _") {
  for (const std::string& name :
       {std::string{"a"}, std::string{"tv-shows_2"}, std::string(32, 'a')})
    CHECK(wrong_with_category(name).empty());
  for (const std::string& name : {std::string{}, std::string{"Films"}, std::string{"a.b"},
                                  std::string{"a b"}, std::string{"a/b"}, std::string(33, 'a')})
    CHECK_FALSE(wrong_with_category(name).empty());
}

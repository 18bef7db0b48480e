// A job's category at the door: what it sets, what is refused, and where it is shown.

#include <doctest/doctest.h>

#include "support/api/api_bench.h"

namespace haul::testing {
namespace {

struct Shelf {
  ApiBench api{open_test_store(Bench::kStart),
               std::nullopt,
               {},
               {{.name = "films",
                 .label = "Films",
                 .folder = "films/new",
                 .limits = {{.name = "speed_limit", .text = "2048", .json = "2048"}}},
                {.name = "music"}}};

  WebReply add(const std::string& request) {
    return api.post("/api/v1/jobs",
                    fmt::format(R"({{"lifecycle":"batch","request":{}}})", request));
  }
  // The ids that a list with this filter has: "3 1".
  std::string listed(const std::string& query) {
    const WebReply reply = api.get("/api/v1/jobs?" + query);
    if (reply.status != 200) return member(reply, "detail");
    constexpr std::string_view kNames[] = {"id"};
    const auto rows = read_rows(member(reply, "items"), kNames, 100).value();
    std::string ids;
    for (const JsonRow& row : rows) ids += (ids.empty() ? "" : " ") + row[0].text;
    return ids;
  }
};

}  // namespace

TEST_CASE("a batch gets the folder and the limits of its category, and shows its name") {
  Shelf shelf;
  const WebReply added = shelf.add(R"({"url":"http://h/a","category":"films"})");
  REQUIRE_MESSAGE(added.status == 201, added.body);

  CHECK(member(added, "category") == "films");
  CHECK(member(added, "request") ==
        R"({"category":"films","folder":"/srv/haul/films/new","limits":{"speed_limit":2048},)"
        R"("url":"http://h/a"})");
  CHECK(member(shelf.add(R"({"url":"http://h/b","category":"music"})"), "request") ==
        R"({"category":"music","folder":"/srv/haul","url":"http://h/b"})");
  const WebReply plain = shelf.add(R"({"url":"http://h/c"})");
  CHECK(plain.body.contains(R"("category":null)"));
}

TEST_CASE("J19: the folder beside a category still lies in the download folder") {
  Shelf shelf;
  CHECK(member(shelf.add(R"({"url":"http://h/a","category":"films","folder":"x"})"), "request")
            .contains(R"("folder":"/srv/haul/x")"));
  const WebReply outside = shelf.add(R"({"url":"http://h/a","category":"films","folder":"/etc"})");
  CHECK(outside.status == 422);
  CHECK(member(outside, "code") == "bad_folder");
}

TEST_CASE("an unknown category is refused with the known ones, and nothing is stored") {
  Shelf shelf;
  const WebReply refused = shelf.add(R"({"url":"http://h/a","category":"musik"})");
  CHECK(refused.status == 422);
  CHECK(member(refused, "code") == "unknown_category");
  CHECK(member(refused, "detail") == "request.category: expected films or music");
  CHECK(member(refused, "fields") == R"({"request.category":"expected films or music"})");
  CHECK(shelf.add(R"({"url":"http://h/a","category":7})").status == 400);
  CHECK(shelf.listed("").empty());

  ApiBench none;
  CHECK(member(none.post("/api/v1/jobs", R"({"lifecycle":"batch","request":{"url":"http://h/a",)"
                                         R"("category":"films"}})"),
               "detail") == "request.category: no category is configured ([category.NAME])");
}

TEST_CASE("the form of a batch has the categories with their labels, or no such field") {
  Shelf shelf;
  const std::string form = member(shelf.api.get("/api/v1/lifecycles/batch"), "request");
  CHECK(form.contains(R"("name":"category")"));
  CHECK(form.contains(R"("values":["films","music"])"));
  CHECK(form.contains(R"("labels":["Films","music"])"));

  ApiBench none;
  CHECK_FALSE(
      member(none.get("/api/v1/lifecycles/batch"), "request").contains(R"("name":"category")"));
}

TEST_CASE("a list by category has its jobs alone, as JSON and as CSV") {
  Shelf shelf;
  for (const char* request :
       {R"({"url":"http://h/a","category":"films"})", R"({"url":"http://h/b"})",
        R"({"url":"http://h/c","category":"music"})",
        R"({"url":"http://h/d","user_agent":"\"category\":\"films\""})",
        R"({"url":"http://h/e","category":"films"})"})
    REQUIRE(shelf.add(request).status == 201);

  CHECK(shelf.listed("category=films") == "5 1");
  CHECK(shelf.listed("category=films&limit=1") == "5");
  CHECK(shelf.listed("category=films&limit=1&cursor=5") == "1");
  CHECK(shelf.listed("category=music&end=open&lifecycle=batch") == "3");
  CHECK(shelf.listed("category=films&end=good").empty());
  CHECK(shelf.listed("category=films&q=%2Fe") == "5");
  CHECK(shelf.listed("q=category:films") == "5 1");
  CHECK(shelf.listed("q=category:films%20%2Fe") == "5");
  CHECK(shelf.listed("q=category:musik") == "category: expected films or music");
  CHECK(shelf.listed("category=films&q=category:music").empty());
  CHECK(shelf.listed("q=my%20category:films").empty());
  for (const char* unknown : {"musik", "films%20x", "Films"})
    CHECK(shelf.listed(std::string{"category="} + unknown) == "category: expected films or music");

  const std::string csv = shelf.api.get("/api/v1/jobs?category=music&format=csv").body;
  CHECK(csv.contains(",category\r\n"));
  CHECK(csv.contains(",music\r\n"));
  CHECK_FALSE(csv.contains("films"));
}

TEST_CASE("a category that is configured no more still lists its jobs") {
  Shelf shelf;
  REQUIRE(shelf.add(R"({"url":"http://h/a","category":"films"})").status == 201);
  const auto later = [&](const std::string& query) {
    api::ApiParts parts{.store = shelf.api.store(),
                        .clock = shelf.api.clock,
                        .settings = {},
                        .live = shelf.api.live,
                        .progress = shelf.api.progress,
                        .meter = shelf.api.meter,
                        .wake = {},
                        .files = {},
                        .allowed_hosts = {},
                        .folder = "/srv/haul"};
    api::Api without{std::move(parts)};
    WebRequest asked = ApiBench::request("GET", "/api/v1/jobs?" + query);
    asked.headers.emplace_back("x-api-key", shelf.api.keys.at("boss"));
    return without.answer(asked);
  };
  CHECK(later("category=films").body.contains(R"("id":1)"));
  CHECK(later("category=music").status == 400);
}

}  // namespace haul::testing

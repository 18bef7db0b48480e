// What the API says about lifecycles, besides their tables.

#include <doctest/doctest.h>

#include "lifecycle/tables.h"
#include "support/api/api_bench.h"

namespace haul::testing {
namespace {

constexpr const char* kMissing = "configure engine.qbittorrent.url";

// Only books lack something, whichever engine is asked for.
std::string of_books(const Lifecycle& lifecycle, std::string_view) {
  return &lifecycle == &kBook ? kMissing : "";
}

}  // namespace

TEST_CASE("Z-30: the list of lifecycles names what each one lacks, and nothing for a ready one") {
  ApiBench b;
  b.lacks = of_books;

  const std::string items = member(b.as("viewer", "GET", "/api/v1/lifecycles"), "items");
  constexpr std::string_view kNames[] = {"name", "not_ready"};
  const auto rows = read_rows(items, kNames, 10);
  REQUIRE(rows.has_value());
  std::string told;
  for (const JsonRow& row : *rows) told += row[0].text + ": " + row[1].text + "\n";

  CHECK(told == fmt::format("book: {}\nmedia: \nbatch: \nitem: \nrelay: \nimage: \n", kMissing));
}

TEST_CASE("Z-30: one lifecycle says what it lacks, and no longer when that is configured") {
  ApiBench b;
  b.lacks = of_books;

  CHECK(member(b.get("/api/v1/lifecycles/book"), "not_ready") == kMissing);
  CHECK(member(b.get("/api/v1/lifecycles/batch"), "not_ready").empty());
  b.lacks = {};
  CHECK(b.get("/api/v1/lifecycles/book").body.find(R"("not_ready":"")") != std::string::npos);
}

TEST_CASE("Z-30: a lifecycle that one of its engines can begin lacks nothing; another is refused") {
  ApiBench b;
  b.lacks = [](const Lifecycle& lifecycle, std::string_view engine) -> std::string {
    return &lifecycle == &kMedia && engine != "http" ? kMissing : "";
  };
  const auto add = [&](const std::string& more) {
    return b.post(
        "/api/v1/jobs",
        R"({"lifecycle":"media","request":{"title":"t","release_name":"r")" + more + "}}");
  };

  CHECK(member(b.get("/api/v1/lifecycles/media"), "not_ready").empty());
  CHECK(add("").status == 422);
  CHECK(member(add(""), "code") == "not_configured");
  CHECK(add(R"(,"engine":"http","uri":"https://h/film.mkv")").status == 201);
}

TEST_CASE("the form of a batch has what users fill in: neither logins nor a netrc file") {
  ApiBench b;

  const std::string fields = member(b.get("/api/v1/lifecycles/batch"), "request");
  constexpr std::string_view kNames[] = {"name"};
  const auto rows = read_rows(fields, kNames, 100);
  REQUIRE(rows.has_value());
  std::string names;
  for (const JsonRow& row : *rows) names += (names.empty() ? "" : " ") + row[0].text;

  CHECK(names ==
        "url urls mirrors engine folder filters discover pages_max cookies proxy checksum headers "
        "existing hash user_agent name segments limits naming");
}

TEST_CASE("Z-30: why names what must be configured for a job that was added before") {
  ApiBench b;
  const NewJob book{.lifecycle = &kBook, .owner = kAdmin, .request = request_for(kBook)};
  const JobId id = b.store().jobs().add({&book, 1}, b.clock.now()).front().value().id;
  const std::string path = fmt::format("/api/v1/jobs/{}/why", id.value);

  CHECK(member(b.get(path), "code") == "not_handed_over");
  b.lacks = of_books;
  CHECK(member(b.get(path), "code") == "not_configured");
  CHECK(member(b.get(path), "because").find(kMissing) != std::string::npos);
}

}  // namespace haul::testing

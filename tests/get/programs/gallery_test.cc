// The real gallery-dl: every picture of a page is its own item.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>

#include "support/process/get_bench.h"
#include "support/process/media.h"

using namespace haul::testing;

namespace {

// Makes a page with these links, each an absolute URL.
std::string album(const MediaServer& server, const std::string& name, const Words& links) {
  std::string body;
  for (const std::string& link : links) body += fmt::format("<a href=\"{}\">x</a>\n", link);
  return "r:" + server.page(name, body);
}

std::string counts(const GetBench& bench) {
  return bench.ask(
      "SELECT status, total_items, completed_items, failed_items, skipped_items "
      "FROM contract_batch_jobs");
}

// How many requests the server received for a path.
std::size_t asked(const MediaServer& server, std::string_view path) {
  const auto log = server.log();
  return static_cast<std::size_t>(std::ranges::count(log, path, &LoggedRequest::path));
}

}  // namespace

TEST_CASE("every picture of a page arrives, and is asked for once") {
  const MediaServer server;
  GetBench bench{"gallery-dl"};
  Words links;
  for (int i = 1; i <= 9; ++i) links.push_back(server.file(fmt::format("{}.jpg", i)));
  links.push_back(links.front());  // A repeated link is the same item.

  const Told told = bench.get({album(server, "nine.html", links)});

  INFO(told.out);
  CHECK(told.code == 0);
  CHECK(counts(bench) == "COMPLETED|9|9|0|0");
  CHECK(bench.files().size() == 9);
  for (int i = 1; i <= 9; ++i) CHECK(asked(server, fmt::format("/d/{}.jpg", i)) == 1);
}

TEST_CASE("a picture that fails for now is tried again alone; the others are not asked for again") {
  const MediaServer server;
  GetBench bench{"gallery-dl"};

  const Told told =
      bench.get({album(server, "again.html",
                       {server.file("1.jpg"), server.file("2.jpg") + "?status=503&status_times=1",
                        server.file("3.jpg")})});

  INFO(told.out);
  CHECK(told.code == 0);
  CHECK(counts(bench) == "COMPLETED|3|3|0|0");
  CHECK(asked(server, "/d/1.jpg") == 1);
  CHECK(asked(server, "/d/2.jpg") == 2);
  CHECK(asked(server, "/d/3.jpg") == 1);
  CHECK(bench.ask("SELECT tries FROM items WHERE url LIKE '%2.jpg%'") == "1");
}

TEST_CASE("what gallery-dl has nothing for is passed over, and says why") {
  const MediaServer server;
  GetBench bench{"gallery-dl"};

  const Told told =
      bench.get({album(server, "other.html", {server.file("1.jpg"), server.url("/f/a.zip")})});

  INFO(told.out);
  CHECK(told.code == 0);
  CHECK(counts(bench) == "COMPLETED|2|2|0|1");
  CHECK(bench.ask("SELECT reason FROM items WHERE state = 'SKIPPED'") == "unsupported_url");
}

TEST_CASE("an error that stands in its list fails the job, although gallery-dl ends with 0") {
  const MediaServer server;
  GetBench bench{"gallery-dl"};

  CHECK(bench.get({"r:" + server.file("gone.html")}).code == 1);

  CHECK(bench.ask("SELECT state, reason FROM jobs") == "FAILED|http_404");
  CHECK(bench.ask("SELECT group_concat(type) FROM (SELECT type FROM contract_batch_events "
                  "WHERE type LIKE 'JOB%' ORDER BY id)") ==
        "JOB_ADDED,JOB_STARTED,JOB_ERROR,JOB_DONE");
}

TEST_CASE("an address that no extractor is for is a clear error") {
  const MediaServer server;
  GetBench bench{"gallery-dl"};

  CHECK(bench.get({server.file("page.html")}).code == 1);

  CHECK(bench.ask("SELECT state, reason FROM jobs") == "FAILED|unsupported_url");
}

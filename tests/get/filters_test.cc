// S2-8, S2-11 and Z-10: which files are skipped before their body is fetched, and which files a
// page leads to.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "support/process/get_bench.h"
#include "support/server/fault_server.h"

using namespace haul::testing;

namespace {

std::string encoded(std::string_view text) {
  std::string out;
  for (const char c : text) out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return out;
}

// Methods and names of the requests, in order: "HEAD a, GET b".
std::string methods(const FaultServer& server) {
  std::string all;
  for (const LoggedRequest& request : server.log())
    all += fmt::format("{}{} {}", all.empty() ? "" : ", ", request.method,
                       request.path.substr(request.path.rfind('/') + 1));
  return all;
}

}  // namespace

TEST_CASE("S2-8: by its extension or kind a file is passed over without any request") {
  const FaultServer server;
  GetBench bench;
  const Told told =
      bench.get({"--exclude", ".ZIP,Tar", "--only", "images,archives", server.url("/f/a.zip"),
                 server.url("/f/b.tar"), server.url("/f/c.mp4"), server.url("/f/d.png"),
                 server.url("/f/e.rar"), server.url("/f/f")});

  CHECK(told.code == 0);
  CHECK(bench.listing() == "d.png, e.rar");
  CHECK(server.log().size() == 2);
  CHECK(bench.ask(
            "SELECT substr(key, instr(key, '/f/') + 3), reason FROM items WHERE state = 'SKIPPED' "
            "ORDER BY key") ==
        "a.zip|excluded_extension\nb.tar|excluded_extension\nc.mp4|excluded_type\nf|"
        "excluded_type");
}

TEST_CASE("S2-8: by its size a file is passed over after a look, both sides of the edge") {
  const FaultServer server;
  GetBench bench;
  const Told told =
      bench.get({"--min-size", "100", "--max-size", "200", server.url("/f/a?size=99"),
                 server.url("/f/b?size=100"), server.url("/f/c?size=200"),
                 server.url("/f/d?size=201"), server.url("/f/e?size=9999&chunked=ok")});

  CHECK(bench.listing() == "b, c");
  // A HEAD could not tell the size, so the limit applies to the bytes.
  CHECK(told.outcome("/f/e?") == "failed too_large");
  CHECK(told.outcome("/f/a?") == "skipped too_small");
  CHECK(told.outcome("/f/d?") == "skipped too_large");
  CHECK(methods(server).find("GET a") == std::string::npos);
  CHECK(methods(server).find("GET d") == std::string::npos);
}

TEST_CASE("S2-8: by its date a file is passed over after a look, both sides of the edge") {
  struct DateCase {
    Words words;
    std::string outcome;
  };
  const std::vector<DateCase> cases = {
      {{"--since", "2024-01-01"}, "completed"},
      {{"--since", "2024-01-02"}, "skipped too_old"},
      {{"--until", "2024-01-01"}, "completed"},
      {{"--until", "2023-12-31"}, "skipped too_new"},
  };
  const FaultServer server;
  for (const DateCase& one : cases) {
    GetBench bench;
    Words words = one.words;
    words.push_back(server.url("/f/dated"));
    words.push_back(server.url("/f/undated?last_modified=none"));
    const Told told = bench.get(words);
    CHECK(told.outcome("/f/dated") == one.outcome);
    CHECK(told.outcome("/f/undated") == "completed");
  }
}

TEST_CASE("S2-8: a look that fails decides nothing: the file is asked for, and fails by itself") {
  const FaultServer server;
  GetBench bench;
  const Told told =
      bench.get({"--max-size", "1000000", server.url("/f/gone?status=404"),
                 server.url("/f/loop?redirect_loop=2"),
                 server.url("/f/away?redirect=file:///etc/passwd"), server.url("/f/good")});

  CHECK(told.outcome("/f/gone") == "failed http_404");
  CHECK(told.outcome("/f/loop") == "failed too_many_redirects");
  CHECK(told.outcome("/f/away") == "failed bad_redirect");
  CHECK(told.outcome("/f/good") == "completed");
  CHECK(bench.ask("SELECT status FROM contract_batch_jobs") == "COMPLETED");
}

TEST_CASE("S2-8: what a page leads to is filtered by its size, too") {
  const FaultServer server;
  GetBench bench;
  bench.get({"--discover", "--max-size", "100",
             server.url("/page?links=" + encoded("/f/a.png?size=100") + "," +
                        encoded("/f/b.png?size=101"))});

  CHECK(bench.listing() == "a.png");
  CHECK(methods(server).find("GET b.png") == std::string::npos);
}

TEST_CASE("Z-10: a page's media are fetched, not its other links, and each once") {
  const FaultServer server;
  GetBench bench;
  const Told told = bench.get({"--discover", "--exclude", "gif",
                               server.url("/page?links=/f/a.png,f/b.mp4,/f/c.html,/f/d,/f/e.gif,"
                                          "/f/a.png,javascript:alert(1),file:///etc/x.png")});

  CHECK(told.code == 0);
  CHECK(bench.listing() == "a.png, b.mp4");
  CHECK(server.log().size() == 3);
  CHECK(told.outcome("/f/e.gif") == "skipped excluded_extension");
}

TEST_CASE("Z-10: next pages are followed as far as --pages-max says, and not in a circle") {
  const FaultServer server;
  const std::string third = server.url("/page?links=/f/c.png");
  const std::string second = server.url("/page?links=/f/b.png&next=" + encoded(third));
  const std::string first = server.url("/page?links=/f/a.png&next=" + encoded(second));
  const auto fetched = [&](const std::string& pages) {
    GetBench bench;
    CHECK(bench.get({"--discover", "--pages-max", pages, first}).code == 0);
    return bench.listing();
  };
  CHECK(fetched("1") == "a.png");
  CHECK(fetched("2") == "a.png, b.png");
  CHECK(fetched("9") == "a.png, b.png, c.png");

  const FaultServer circle;
  GetBench bench;
  CHECK(bench.get({"--discover", "--pages-max", "50", circle.url("/page?links=/f/a.png&next=%23")})
            .code == 0);
  CHECK(methods(circle) == "GET page, GET a.png");
}

TEST_CASE("S2-11: the total may grow until enumeration is complete, and never after") {
  const FaultServer server;
  GetBench bench;
  const std::string second = server.url("/page?links=/f/b.png,/f/c.png&delay_ms=1100");
  const Told told =
      bench.get({"--discover", "--pages-max", "2",
                 server.url("/page?links=" + encoded("/f/a.png?size=220000&limit_rate=100000") +
                            "&next=" + encoded(second))});

  CHECK(told.code == 0);
  bool complete = false;
  long total = 0;
  bool grew = false;
  for (Fields line : told.of_type("progress")) {
    const long now = std::stol(line.at("total"));
    CHECK(now >= total);
    if (complete) CHECK(now == total);
    grew = grew || (now > total && total > 0);
    total = now;
    complete = line.at("enumeration_complete") == "true";
  }
  CHECK(grew);
  CHECK(complete);
  CHECK(told.summary()["total"] == "3");
  // The first file started before the second page had been read.
  const auto log = server.log();
  REQUIRE(log.size() >= 3);
  CHECK(log[1].started_at < *log[2].ended_at);
  CHECK(methods(server).starts_with("GET page, GET "));
}

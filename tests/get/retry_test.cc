// S2-21, S2-22 and list H: what haul retries, how often and after how long, and what it does not
// retry.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <csignal>
#include <map>
#include <vector>

#include "base/clock.h"
#include "hostile/http.h"
#include "support/process/get_bench.h"
#include "support/run/proof.h"
#include "support/server/fault_server.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

using Log = std::vector<LoggedRequest>;

Log requests_of(const Log& log, const std::string& path) {
  Log found;
  for (const LoggedRequest& request : log)
    if (request.path == path) found.push_back(request);
  return found;
}

double gap_s(const Log& log, std::size_t i) {
  return std::chrono::duration<double>(log.at(i + 1).started_at - log.at(i).started_at).count();
}

// At least 1, 2, 4 and 8 s, less 20 %. haul begins to wait after the server has logged the request
// that fails, so no busy machine shortens a gap. That haul does not wait for longer is shown in
// virtual time, by src/flow/batch/judge_test.cc.
void check_backoff(const Log& log) {
  REQUIRE(log.size() == 5);
  double wanted = 1;
  for (std::size_t i = 0; i < 4; ++i, wanted *= 2) CHECK(gap_s(log, i) >= wanted * 0.8);
}

const std::vector<int> kTriedAgain{408, 429, 500, 502, 503, 504};

// The last retry comes after fifteen seconds, so all slow cases run in here together, once for all
// tests of this file. Each kind of case has its own host.
struct LongRun {
  FaultServer server;
  FaultServer breaking{"127.0.0.2"};
  FaultServer seconds{"127.0.0.3"};
  FaultServer date{"127.0.0.4"};
  FaultServer statuses{"127.0.0.5"};
  GetBench bench;
  Told told = bench.get(urls());

  Words urls() const {
    Words urls{server.url("/f/busy?status=503"),
               fmt::format("http://127.0.0.6:{}/f/nobody", server.port()),
               breaking.url("/f/forward?size=330000&close_after=65536"),
               seconds.url("/f/seconds?status=429&status_times=1&retry_after=3"),
               date.url("/f/date?status=503&status_times=1&retry_after=date:%2B4")};
    for (const int status : kTriedAgain)
      urls.push_back(statuses.url(fmt::format("/f/{0}?status={0}&status_times=1", status)));
    for (const HostileAnswer& one : kHostileAnswers)
      urls.push_back(
          server.url(fmt::format("/f/{}?size={}&{}", one.name, kHostileSize, one.switches)));
    return urls;
  }
};

const LongRun& long_run() {
  static const LongRun run;
  return run;
}

}  // namespace

TEST_CASE("S2-21: five tries, about 1, 2, 4 and 8 s apart, and then it has failed") {
  const LongRun& run = long_run();

  CHECK(run.told.code == 1);
  CHECK(run.told.outcome("/f/busy") == "failed http_503");
  check_backoff(requests_of(run.server.log(), "/f/busy"));
  CHECK(run.told.outcome("/f/nobody") == "failed cannot_connect");
  CHECK(run.bench.ask("SELECT count(*) FROM items WHERE state NOT IN ('COMPLETED', 'FAILED')") ==
        "0");
}

TEST_CASE(
    "S2-21, Z-11: a try that came forward begins the count anew, so that six are no failure") {
  const LongRun& run = long_run();

  CHECK(run.told.outcome("/f/forward") == "completed");
  CHECK(run.bench.holds("forward", FaultServer::content("forward", 330'000)));
  std::string ranges;
  for (const LoggedRequest& request : run.breaking.log()) ranges += request.range + ";";
  CHECK(ranges == ";bytes=65536-;bytes=131072-;bytes=196608-;bytes=262144-;bytes=327680-;");
}

TEST_CASE("S2-21: each of the document's statuses and 408 is tried again, and then it arrives") {
  const LongRun& run = long_run();

  for (const int status : kTriedAgain) {
    const std::string path = fmt::format("/f/{}", status);
    CHECK(run.told.outcome(path + "?") == "completed");
    CHECK(requests_of(run.statuses.log(), path).size() == 2);
  }
}

TEST_CASE("S2-22: Retry-After is obeyed, as seconds and as a date") {
  const LongRun& run = long_run();

  CHECK(run.told.outcome("/f/seconds") == "completed");
  REQUIRE(run.seconds.log().size() == 2);
  CHECK(gap_s(run.seconds.log(), 0) >= 3);
  CHECK(run.told.outcome("/f/date") == "completed");
  REQUIRE(run.date.log().size() == 2);
  CHECK(gap_s(run.date.log(), 0) >= 3);  // A date has no fractions of a second.
}

TEST_CASE("H: every answer a server might give has its verdict, and leaves nothing half done") {
  const LongRun& run = long_run();
  const Log log = run.server.log();

  for (const HostileAnswer& one : kHostileAnswers) {
    CAPTURE(one.name);
    const std::string path = "/f/" + one.name;
    const bool arrives = one.outcome == "completed";
    CHECK(run.told.outcome(path + "?") == one.outcome);
    const auto asked = static_cast<int>(requests_of(log, path).size());
    CHECK((one.requests == 0 ? asked > 1 && asked < 100 : asked == one.requests));
    CHECK(run.bench.holds(one.name, FaultServer::content(one.name, kHostileSize)) == arrives);
    CHECK(std::filesystem::exists(run.bench.folder() / one.name) == arrives);
  }
  for (const std::string& name : run.bench.files()) CHECK_FALSE(name.ends_with(".part"));
}

TEST_CASE("S2-22: any other refusal is final at once: one request each") {
  const FaultServer server;
  GetBench bench;
  const std::vector<int> statuses{400, 401, 402, 403, 404, 405, 406, 409, 410, 418, 451, 501, 505};
  Words urls;
  for (const int status : statuses)
    urls.push_back(server.url(fmt::format("/f/{0}?status={0}", status)));
  const Told told = bench.get(urls);

  CHECK(told.code == 1);
  CHECK(server.log().size() == statuses.size());
  for (const int status : statuses)
    CHECK(told.outcome(fmt::format("/f/{}?", status)) == fmt::format("failed http_{}", status));
}

TEST_CASE(
    "S2-22, H39: no Retry-After makes haul wait for more than ten minutes, nor past Ctrl-C (proof: "
    "within 2 s)" *
    doctest::test_suite("proof alone")) {
  const std::map<std::string, std::string> kValues{
      {"many", "999999999999"}, {"more", "99999999999999999999999"},
      {"negative", "-5"},       {"far", "Thu%2C%2031%20Dec%202099%2023:59:59%20GMT"},
      {"past", "date:-60"},     {"garbage", "soon"}};
  GetBench bench;
  Words urls;
  std::map<std::string, FaultServer> servers;
  int host = 2;
  for (const auto& [name, value] : kValues) {
    const auto& server = servers.try_emplace(name, fmt::format("127.0.0.{}", host++)).first->second;
    urls.push_back(server.url(fmt::format("/f/{}?status=429&retry_after={}", name, value)));
  }
  Child child{bench.command(urls)};
  for (const auto& [name, server] : servers)
    for (int i = 0; i < 10 && (server.log().empty() || server.log()[0].ended.empty()); ++i)
      child.line();
  child.line();
  child.line();  // One line a second: by now the answers are in the store.

  const Clock& clock = system_clock();
  const Steady before = clock.steady();
  ::kill(child.pid(), SIGINT);
  while (child.line()) {
  }
  CHECK(is_within(clock.steady() - before, 2s));
  // Whole minutes from the job's creation to the next try. A slow machine has almost a minute of
  // slack.
  CHECK(bench.ask("SELECT substr(i.url, instr(i.url, '/f/') + 3, 4), "
                  "(i.due_at - j.created_at) / 60000 FROM items i JOIN jobs j ON j.id = i.job "
                  "ORDER BY 1") == "far?|10\ngarb|0\nmany|10\nmore|10\nnega|0\npast|0");
}

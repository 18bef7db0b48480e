// S2-12 to S2-14 and S2-27, S2-28: `haul get` is cancelled or killed at any moment.

#include <doctest/doctest.h>
#include <fmt/core.h>
#include <signal.h>

#include <functional>
#include <memory>
#include <vector>

#include "base/clock.h"
#include "support/process/get_bench.h"
#include "support/run/proof.h"
#include "support/server/fault_server.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

constexpr int kLinesMax = 30;  // Progress lines, one per second. More means that the test hangs.

// Reads progress lines until `is_so` holds.
void wait_until(Child& child, const std::function<bool()>& is_so) {
  for (int i = 0; i < kLinesMax && !is_so(); ++i) REQUIRE(child.line());
  REQUIRE(is_so());
}

// For a command with --discard: without it Ctrl-C keeps the parts.
void cancel(const Child& child) { ::kill(child.pid(), SIGINT); }

// Two signals at once: the kernel merges two pending signals of the same number.
void press_twice(const Child& child) {
  ::kill(child.pid(), SIGSTOP);
  ::kill(child.pid(), SIGINT);
  ::kill(child.pid(), SIGTERM);
  ::kill(child.pid(), SIGCONT);
}

std::size_t requests_for(const FaultServer& server, const std::string& path) {
  std::size_t count = 0;
  for (const LoggedRequest& request : server.log()) count += request.path == path ? 1 : 0;
  return count;
}

bool has_part(const GetBench& bench) {
  for (const std::string& name : bench.files())
    if (name.ends_with(".part")) return true;
  return false;
}

// Fetches one file that arrives and two that are in progress when the cancel comes.
struct Running {
  Running(std::string named, const std::string& switches)
      : name{std::move(named)},
        child{bench.command({"--discard", server.url("/f/done"), server.url("/f/a?" + switches),
                             server.url("/f/b?" + switches)})} {}

  std::string name;
  FaultServer server;
  GetBench bench;
  Child child;
};

const std::string kSlow = "size=30000000&limit_rate=1000000";

}  // namespace

TEST_CASE("S2-12, S2-13, S2-14: cancelled at any moment it leaves no part (proof: within 2 s)" *
          doctest::test_suite("proof alone")) {
  struct Moment {
    std::string name;
    std::string switches;
  };
  // clang-format off
  const std::vector<Moment> moments = {
      {"body",    kSlow},
      {"head",    "stall_after=head"},
      {"stalled", "size=3000000&stall_after=2000000"},
      {"backoff", "size=3000000&close_after=2000000&status=503"},
      {"waits",   "status=429&retry_after=600"},
      {"hops",    "delay_ms=1000&redirect_loop=9"},
      {"broken",  "size=90000000&close_after=2000000"},
  };
  // clang-format on
  // All at the same time, so that they take no longer than one.
  std::vector<std::unique_ptr<Running>> all;
  for (const Moment& moment : moments)
    all.push_back(std::make_unique<Running>(moment.name, moment.switches));
  for (const auto& one : all)
    wait_until(one->child, [&] { return requests_for(one->server, "/f/a") > 0; });
  const Steady before = system_clock().steady();
  for (const auto& one : all) cancel(one->child);
  for (const auto& one : all) {
    CAPTURE(one->name);
    const GetBench& bench = one->bench;
    Told end = told(one->child);

    CHECK(is_within(system_clock().steady() - before, 2s));
    CHECK(end.code == 1);
    CHECK(end.summary()["ending"] == "cancelled");
    CHECK(end.summary()["success"] == "false");
    CHECK(bench.listing() == "done");
    CHECK(bench.ask("SELECT status FROM contract_batch_jobs") == "CANCELLED");
    CHECK(bench.ask("SELECT status, count(*) FROM contract_batch_job_items GROUP BY 1") ==
          "CANCELLED|2\nCOMPLETED|1");
    CHECK(bench.ask("SELECT completed_items, failed_items FROM contract_batch_jobs") == "1|0");
    const std::string types = bench.ask("SELECT type FROM contract_batch_events ORDER BY id");
    CHECK(types.ends_with("JOB_CANCELLED\nJOB_DONE"));
  }
}

TEST_CASE("S2-12, S2-13: cancelled while it waits for its turn at the host (proof: within 2 s)" *
          doctest::test_suite("proof alone")) {
  const FaultServer server;
  GetBench bench;
  Words words{"--discard", "--delay", "10m"};
  for (int i = 0; i < 5; ++i) words.push_back(server.url(fmt::format("/f/{}", i)));
  Child child{bench.polite_command(words)};
  wait_until(child, [&] {
    return !server.log().empty() &&
           bench.ask("SELECT count(*) FROM items WHERE state = 'COMPLETED'") == "1";
  });
  const Steady before = system_clock().steady();
  cancel(child);
  const Told end = told(child);

  CHECK(is_within(system_clock().steady() - before, 2s));
  CHECK(end.code == 1);
  CHECK(server.log().size() == 1);
  CHECK(bench.ask("SELECT status, count(*) FROM contract_batch_job_items GROUP BY 1") ==
        "CANCELLED|4\nCOMPLETED|1");
}

TEST_CASE("S2-12, S2-13: cancelled while it reads a page that does not come (proof: within 2 s)" *
          doctest::test_suite("proof alone")) {
  const FaultServer server;
  GetBench bench;
  Child child{bench.command({"--discard", "--discover", server.url("/f/page?stall_after=head")})};
  wait_until(child, [&] { return !server.log().empty(); });
  const Steady before = system_clock().steady();
  cancel(child);
  const Told end = told(child);

  CHECK(is_within(system_clock().steady() - before, 2s));
  CHECK(end.code == 1);
  CHECK(bench.ask("SELECT status FROM contract_batch_jobs") == "CANCELLED");
}

TEST_CASE(
    "Ctrl-C once keeps what came, and the same command goes on from there (proof: within 2 s)" *
    doctest::test_suite("proof alone")) {
  const FaultServer server;
  GetBench bench;
  const Words words{server.url("/f/done"),
                    server.url("/f/slow?size=6000000&stall_after=4000000&stall_times=1")};
  Child child{bench.command(words)};
  wait_until(child, [&] { return has_part(bench) && requests_for(server, "/f/done") == 1; });
  REQUIRE(child.line());
  const Steady before = system_clock().steady();
  ::kill(child.pid(), SIGINT);
  Told end = told(child);

  CHECK(is_within(system_clock().steady() - before, 2s));
  CHECK(end.code == 1);
  CHECK(end.summary()["ending"] == "interrupted");
  REQUIRE(end.of_type("note").size() == 1);
  CHECK(end.of_type("note")[0].at("text").find("run the same command again") != std::string::npos);
  CHECK(has_part(bench));
  CHECK(bench.ask("SELECT status FROM contract_batch_jobs") == "PENDING");
  CHECK(bench.ask("SELECT count(*) FROM contract_batch_events WHERE type = 'JOB_ERROR'") == "0");

  CHECK(bench.get(words).code == 0);
  CHECK(bench.holds("slow", FaultServer::content("slow", 6'000'000)));
  CHECK(bench.listing() == "done, slow");
  CHECK(requests_for(server, "/f/done") == 1);
  CHECK(server.log().back().range.starts_with("bytes="));
  CHECK(bench.ask("SELECT status, total_items, completed_items FROM contract_batch_jobs") ==
        "COMPLETED|2|2");
}

TEST_CASE("a second Ctrl-C ends it at once and keeps the parts, too (proof: within 2 s)" *
          doctest::test_suite("proof alone")) {
  const FaultServer server;
  GetBench bench;
  const Words words{server.url("/f/slow?size=6000000&stall_after=4000000&stall_times=1")};
  Child child{bench.command(words)};
  wait_until(child, [&] {  // haul writes a checkpoint after two seconds.
    return has_part(bench) &&
           bench.ask("SELECT count(*) FROM items WHERE checkpoint IS NOT NULL") == "1";
  });
  const Steady before = system_clock().steady();
  press_twice(child);
  Told end = told(child);

  CHECK(is_within(system_clock().steady() - before, 2s));
  CHECK(end.code == 1);
  CHECK(end.summary()["ending"] == "interrupted");
  CHECK(has_part(bench));
  CHECK(bench.get(words).code == 0);
  CHECK(bench.listing() == "slow");
  CHECK(bench.holds("slow", FaultServer::content("slow", 6'000'000)));
  CHECK(server.log().back().range.starts_with("bytes="));
}

TEST_CASE(
    "S2-27, S2-28: killed, it goes on: what arrived is not asked for again, the rest resumes") {
  const FaultServer server;
  GetBench bench;
  const Words words{"--exclude",
                    "zip",
                    server.url("/f/done"),
                    server.url("/f/gone?status=404"),
                    server.url("/f/c.zip"),
                    server.url("/f/slow?size=6000000&stall_after=4000000&stall_times=1")};
  {
    Child child{bench.command(words)};
    wait_until(child, [&] {  // haul writes a checkpoint after two seconds.
      return requests_for(server, "/f/slow") == 1 &&
             bench.ask(
                 "SELECT state, checkpoint NOT LIKE '%target%' FROM items "
                 "WHERE n IN (1, 4) ORDER BY n") == "COMPLETED|0\nDOWNLOADING|1";
    });
    child.kill();
  }
  const Told end = bench.get(words);

  CHECK(end.code == 1);  // One of the files is gone.
  CHECK(bench.listing() == "done, slow");
  CHECK(bench.holds("slow", FaultServer::content("slow", 6'000'000)));
  CHECK(requests_for(server, "/f/done") == 1);
  CHECK(requests_for(server, "/f/gone") == 1);
  CHECK(requests_for(server, "/f/c.zip") == 0);
  CHECK(server.log().back().range.starts_with("bytes="));
  CHECK(bench.ask("SELECT type, json_extract(payload_json, '$.recoverable') "
                  "FROM contract_batch_events WHERE type = 'JOB_ERROR'") == "JOB_ERROR|1");
  CHECK(bench.ask("SELECT type, count(*) FROM contract_batch_events "
                  "WHERE type IN ('ITEM_DONE', 'JOB_DONE') GROUP BY 1") ==
        "ITEM_DONE|4\nJOB_DONE|1");
  CHECK(bench.ask("SELECT status, total_items, completed_items, failed_items, skipped_items "
                  "FROM contract_batch_jobs") == "COMPLETED|4|3|1|1");
}

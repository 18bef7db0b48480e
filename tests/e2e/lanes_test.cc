// The daemon with more jobs for a hanging host than it can run: jobs for other hosts are not
// delayed.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "base/clock.h"
#include "support/process/daemon.h"
#include "support/run/proof.h"
#include "support/server/fault_server.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

std::string at_localhost(std::string url) {
  return url.replace(url.find("127.0.0.1"), 9, "localhost");
}

}  // namespace

TEST_CASE(
    "F08: with 2,400 jobs for a hanging host a job for another host arrives (proof: within 2 s)" *
    doctest::test_suite("proof alone")) {
  const FaultServer server;
  Daemon daemon;
  for (int call = 0; call < 24; ++call) {
    std::string jobs;
    for (int i = 0; i < 100; ++i)
      jobs += fmt::format(R"({}{{"lifecycle":"batch","request":{{"url":"{}"}}}})",
                          jobs.empty() ? "" : ",",
                          server.url(fmt::format("/f/{}-{}?stall_after=head", call, i)));
    REQUIRE(daemon.post("/api/v1/jobs/batch", "[" + jobs + "]").status() == 200);
  }

  const Steady before = system_clock().steady();
  const std::string id = daemon.add(at_localhost(server.url("/f/good.bin?size=1000")));

  CHECK(daemon.comes_to(id, "COMPLETED"));
  CHECK(is_within(system_clock().steady() - before, 2s));
  CHECK(daemon.get("/api/v1/jobs/" + id + "/items").body().find(R"("state":"COMPLETED")") !=
        std::string::npos);
  const std::string stats{daemon.get("/api/v1/stats").body()};
  CHECK(stats.find(R"("state":"RUNNING","end":"open","count":2})") != std::string::npos);
  const RawReply why = daemon.get("/api/v1/jobs/2400/why");
  CHECK(member_of(why.body(), "code") == "host_busy");
  CHECK(daemon.stop() == 0);
}

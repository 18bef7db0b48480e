// The memory of a daemon that is given many small jobs.

#include "support/process/memory.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "support/process/daemon.h"
#include "support/run/moment.h"
#include "support/run/proof.h"
#include "support/run/skip.h"
#include "support/server/fault_server.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

constexpr int kJobs = 100'000;
constexpr int kSomeJobs = 10'000;
constexpr int kAtOnce = 500;
constexpr long kMostKib = 64 * 1024;
constexpr long kCodeKib = 18 * 1024;  // Code and libraries of a release build, measured.

// A request that adds kAtOnce jobs. Each fetches a file of one byte.
std::string jobs_from(const FaultServer& server, int first) {
  std::string body = "[";
  for (int i = first; i < first + kAtOnce; ++i)
    body += fmt::format(R"({}{{"lifecycle":"batch","request":{{"url":"{}"}}}})",
                        i == first ? "" : ",", server.url(fmt::format("/f/{}.bin?size=1", i)));
  return body + "]";
}

int completed(const Daemon& daemon) {
  const RawReply reply = daemon.get("/api/v1/stats");
  const std::string_view stats = reply.body();
  constexpr std::string_view kState = R"("state":"COMPLETED","end":"good","count":)";
  const std::size_t at = stats.find(kState);
  if (at == stats.npos) return 0;
  return std::stoi(std::string{stats.substr(at + kState.size(), 10)});
}

// Waits up to five minutes for each 10,000 jobs.
bool complete(const Daemon& daemon, int jobs) {
  for (int i = 0; i < jobs / kSomeJobs * 1'200; ++i) {
    if (completed(daemon) >= jobs) return true;
    let_pass(250ms);
  }
  return false;
}

}  // namespace

TEST_CASE(
    "a daemon with 100,000 small jobs has at most 64 MiB while it completes 10,000 (proof: all)" *
    doctest::test_suite("proof")) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return skip("a sanitizer's own memory is counted too");
#endif
  const TempFolder folder;
  const FaultServer server;
  Daemon daemon{folder / "data", true, {"HAUL__TRANSFER__PER_HOST=16"}};
  for (int i = 0; i < kJobs; i += kAtOnce)
    REQUIRE(daemon.post("/api/v1/jobs/batch", jobs_from(server, i)).status() == 200);
  REQUIRE(complete(daemon, rounds(kSomeJobs, kJobs)));

  // The code of a debug build is larger: what is mapped from files counts as in a release build.
  const long files = status_kib(daemon.pid(), "RssFile:");
  const long peak = peak_kib(daemon.pid()) - files + std::min(files, kCodeKib);
  MESSAGE("peak: ", peak / 1024, " MiB");
  CHECK(peak > kCodeKib);
  CHECK(peak <= kMostKib);
}

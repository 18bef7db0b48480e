// How much memory a daemon takes that is given small jobs all the time.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <fstream>
#include <string>

#include "support/daemon.h"
#include "support/moment.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

constexpr int kJobs = 100'000;
constexpr int kAtOnce = 500;
constexpr long kMostKib = 64 * 1024;

// The most it ever had.
long peak_kib(pid_t pid) {
  std::ifstream status{fmt::format("/proc/{}/status", pid)};
  for (std::string word; status >> word;)
    if (word == "VmHWM:") {
      long kib = 0;
      status >> kib;
      return kib;
    }
  return 0;
}

// Each ends at once: its address is private, and not allowed.
std::string jobs_from(int first) {
  std::string body = "[";
  for (int i = first; i < first + kAtOnce; ++i)
    body += fmt::format(R"({}{{"lifecycle":"batch","request":{{"url":"http://10.0.0.1/{}"}}}})",
                        i == first ? "" : ",", i);
  return body + "]";
}

bool all_ended(const Daemon& daemon) {
  for (int i = 0; i < 1'200; ++i) {
    if (daemon.get("/api/v1/jobs?end=open&limit=1").body().find("\"id\"") == std::string::npos)
      return true;
    let_pass(250ms);
  }
  return false;
}

}  // namespace

TEST_CASE("a daemon that did a hundred thousand small jobs never had more than 64 MiB") {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  MESSAGE("skipped: a sanitizer's own memory is counted too");
  return;
#endif
  const TempFolder folder;
  Daemon daemon{folder / "data", false};
  for (int i = 0; i < kJobs; i += kAtOnce)
    REQUIRE(daemon.post("/api/v1/jobs/batch", jobs_from(i)).status() == 200);
  CHECK(all_ended(daemon));

  const long peak = peak_kib(daemon.pid());
  MESSAGE("peak: ", peak / 1024, " MiB");
  CHECK(peak > 0);
  CHECK(peak <= kMostKib);
}

// Many connections for one file: only for large files, only if the server allows ranges, and never
// with bytes of two versions.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "support/process/get_bench.h"
#include "support/server/fault_server.h"

using namespace haul::testing;

namespace {

constexpr std::size_t kLarge = std::size_t{33} << 20U;

constexpr auto kChanged = FaultServer::Version::changed;

struct SplitCase {
  std::string name;
  std::string switches;
  bool splits;
  FaultServer::Version content = FaultServer::Version::first;
};

// clang-format off
const std::vector<SplitCase> kCases = {
    {"ranges",          "",                                          true},
    {"no_ranges",       "ranges=none",                               false},
    {"ignores_ranges",  "ranges=ignore",                             false},
    {"weak",            "etag=weak&last_modified=none",              false},
    {"wrong_start",     "content_range=wrong_start",                 true},
    {"missing",         "content_range=missing",                     true},
    {"changed",         "etag_change_after=1",                       true, kChanged},
    {"ignores_if_range", "etag_change_after=1&ignore_if_range=1",    true, kChanged},
};
// clang-format on

}  // namespace

TEST_CASE("segments: --segments opens them at once, and whatever a server does the file is whole") {
  const std::string first = FaultServer::content("a", kLarge);
  const std::string changed = FaultServer::content("a", kLarge, kChanged);
  for (const SplitCase& one : kCases) {
    CAPTURE(one.name);
    const FaultServer server;
    GetBench bench;
    const Told told =
        bench.get({"--segments", "4",
                   server.url(fmt::format("/f/a?size={}{}{}", kLarge,
                                          one.switches.empty() ? "" : "&", one.switches))});
    const std::vector<LoggedRequest> log = server.log();

    CHECK(told.code == 0);
    CHECK(bench.holds("a", one.content == kChanged ? changed : first));
    const bool split = std::ranges::any_of(
        log, [](const LoggedRequest& request) { return !request.range.empty(); });
    CHECK(split == one.splits);
    CHECK(log.size() <= 8);
  }
}

TEST_CASE("segments: a file just under 32 MiB is fetched by one connection") {
  const FaultServer server;
  GetBench bench;
  bench.get({"--segments", "4", server.url(fmt::format("/f/a?size={}", (32 << 20) - 1))});
  CHECK(server.log().size() == 1);

  bench.get({"--segments", "4", server.url(fmt::format("/f/b?size={}", 32 << 20))});
  CHECK(server.log().size() == 5);
}

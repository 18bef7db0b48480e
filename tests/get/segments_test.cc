// Many connections for one file: only for large files, only if the server allows ranges, and never
// with bytes of two versions.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>
#include <csignal>
#include <optional>
#include <string>
#include <vector>

#include "engine/http/ranges.h"
#include "support/process/get_bench.h"
#include "support/server/fault_server.h"

using namespace haul::testing;

namespace {

constexpr std::size_t kLarge = std::size_t{33} << 20U;
constexpr std::size_t kBroken = std::size_t{40} << 20U;  // Its rest is large enough, too.
constexpr int kLinesMax = 30;  // Progress lines, one per second. More means that the test hangs.

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

// The ranges that the next start finds, as the store has them: "0-3000000,10485760-13485760".
std::string ranges_here(const GetBench& bench) {
  return bench.files().empty()
             ? ""
             : bench.ask("SELECT json_extract(checkpoint, '$.here') FROM items WHERE job = 1");
}

// The headers that ask for these ranges of the file. The last range has no end.
Words headers_for(const std::vector<haul::http::Range>& ranges) {
  Words headers;
  for (const auto& [from, to] : ranges)
    headers.push_back(to == kBroken ? fmt::format("bytes={}-", from)
                                    : fmt::format("bytes={}-{}", from, to - 1));
  return headers;
}

// The Range headers after the first requests, in the order of the log.
Words ranges_asked(const FaultServer& server, std::size_t first) {
  Words headers;
  const std::vector<LoggedRequest> log = server.log();
  for (std::size_t i = first; i < log.size(); ++i) headers.push_back(log[i].range);
  return headers;
}

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

TEST_CASE("segments: a part of four goes on with one, which asks for the missing bytes only") {
  const FaultServer server;
  GetBench bench;
  const std::string url =
      server.url(fmt::format("/f/a?size={}&stall_after=3000000&stall_times=4", kBroken));
  {
    Child child{bench.command({"--segments", "4", url})};
    const auto count = [&] { return std::ranges::count(ranges_here(bench), ',') + 1; };
    for (int i = 0; i < kLinesMax && count() < 4; ++i) REQUIRE(child.line());
    CHECK(child.kill() == -SIGKILL);
  }
  const std::size_t before = server.log().size();
  const auto here = haul::http::Ranges::from_text(ranges_here(bench));
  REQUIRE(here.has_value());
  REQUIRE(here->all().size() == 4);
  const Told told = bench.get({"--segments", "1", url});

  CHECK(told.code == 0);
  CHECK(bench.listing() == "a");
  CHECK(bench.holds("a", FaultServer::content("a", kBroken)));
  CHECK(ranges_asked(server, before) == headers_for(here->gaps(kBroken)));
  CHECK(told.summary()["resumed_bytes"] == std::to_string(here->total()));
}

TEST_CASE("segments: a part of one goes on with four, which ask for the missing bytes only") {
  const FaultServer server;
  GetBench bench;
  const std::string url =
      server.url(fmt::format("/f/a?size={}&stall_after=3000000&stall_times=1", kBroken));
  {
    Child child{bench.command({"--segments", "1", url})};
    std::optional<std::string> line;
    for (int i = 0; i < kLinesMax; ++i) {
      line = child.line();
      REQUIRE(line);
      if (line->find(R"("have_bytes":3000000,)") != std::string::npos) break;
    }
    child.signal(SIGINT);
    CHECK(told(child).code == 1);
  }
  REQUIRE(ranges_here(bench) == "0-3000000");
  REQUIRE(server.log().size() == 1);
  const Told told = bench.get({"--segments", "4", url});

  CHECK(told.code == 0);
  CHECK(bench.listing() == "a");
  CHECK(bench.holds("a", FaultServer::content("a", kBroken)));
  // The first request came before the others. So it has no end, and haul ends it early.
  Words expected = headers_for(haul::http::split({3'000'000, kBroken}, 4));
  expected.front() = "bytes=3000000-";
  Words asked = ranges_asked(server, 1);
  std::ranges::sort(expected);
  std::ranges::sort(asked);
  CHECK(asked == expected);
  CHECK(told.summary()["resumed_bytes"] == "3000000");
}

// Speed limits as a user sees them, measured in real time: only `./dev proof` has the machine to
// itself. Tests in virtual time, beside the code, check that the limits are kept.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "base/clock.h"
#include "support/io/meta4.h"
#include "support/process/get_bench.h"
#include "support/run/proof.h"
#include "support/run/skip.h"
#include "support/server/fault_server.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

constexpr std::int64_t kKiB = 1'024;
constexpr std::int64_t kMiB = 1'024 * kKiB;

bool is_measured() {
  if (!is_proof()) skip("speeds are measured by ./dev proof");
  return is_proof();
}

// How many seconds the run took.
double seconds_for(GetBench& bench, const Words& words) {
  const Steady before = system_clock().steady();
  const Told told = bench.get(words);
  CHECK(told.code == 0);
  const Millis passed = system_clock().steady() - before;
  MESSAGE(fmt::format("{:.2f} s", static_cast<double>(passed.count()) / 1'000));
  return static_cast<double>(passed.count()) / 1'000;
}

}  // namespace

TEST_SUITE_BEGIN("proof alone");

TEST_CASE("a speed limit is kept within 10 % over 10 s, from 64 KiB/s to 100 MiB/s") {
  if (!is_measured()) return;
  for (const std::int64_t rate : {64 * kKiB, kMiB, 100 * kMiB}) {
    for (const char* segments : {"1", "4"}) {
      const FaultServer server;
      GetBench bench;
      const double took =
          seconds_for(bench, {"--speed-limit", std::to_string(rate), "--segments", segments,
                              server.url(fmt::format("/f/file?size={}", 10 * rate))});
      CHECK_MESSAGE(took >= 9.0, rate << " in " << segments);
      CHECK_MESSAGE(took <= 11.0, rate << " in " << segments);
      CHECK(server.log().size() <= 8);  // No transfer started again.
    }
  }
}

TEST_CASE("a speed limit is kept by many small files") {
  if (!is_measured()) return;
  const FaultServer server;
  GetBench bench;
  Words words{"--speed-limit", "1M"};
  for (int i = 0; i < 1'000; ++i)
    words.push_back(server.url(fmt::format("/f/{}?size={}", i, 10 * kMiB / 1'000)));
  const double took = seconds_for(bench, words);
  CHECK(took >= 9.0);
  CHECK(took <= 11.0);
}

TEST_CASE("two mirrors of 10 MB/s each are at least 1.8 times as fast as one") {
  if (!is_measured()) return;
  const FaultServer first;
  const FaultServer second{"127.0.0.2"};
  const std::size_t size = 100'000'000;
  const std::string path = fmt::format("/f/file?size={}&limit_rate=10000000", size);
  const std::string sum = "sha256:" + FaultServer::content_sha256("file", size);

  GetBench alone;
  const double one = seconds_for(alone, {"--segments", "1", "--checksum", sum, first.url(path)});
  GetBench bench;
  const double two = seconds_for(
      bench, {"--segments", "1", "--checksum", sum, first.url(path), "--mirror", second.url(path)});
  CHECK(one / two >= 1.8);
}

TEST_CASE("a Metalink of 1,000 pieces costs at most 5 % more than a download with a hash") {
  if (!is_measured()) return;
  const FaultServer server;
  const std::size_t piece = 1'000'000;
  const std::string content = FaultServer::content("file", 1'000 * piece);
  const std::string url = server.url(fmt::format("/f/file?size={}", content.size()));
  std::vector<double> plain;
  std::vector<double> pieces;
  for (int i = 0; i < 5; ++i) {
    GetBench bench;
    plain.push_back(seconds_for(bench, {"--hash", "sha256", url}));
    GetBench other;
    std::ofstream{other.beside("x.meta4")}
        << meta4({{.name = "file", .content = content, .urls = {url}, .piece = piece}});
    pieces.push_back(seconds_for(other, {"--hash", "sha256", other.beside("x.meta4").string()}));
  }
  std::ranges::sort(plain);
  std::ranges::sort(pieces);
  CHECK(pieces[2] <= 1.05 * plain[2]);
}

TEST_SUITE_END();

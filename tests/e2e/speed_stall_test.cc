// The stall timeout of the HTTP loop beside a speed limit. libcurl measures silence in real time,
// so the test waits until a silent server's call has ended by that timeout. The limit follows a
// clock that stands still until then.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <map>
#include <memory>
#include <span>
#include <string>

#include "io/web/http.h"
#include "support/flow/turned_clock.h"
#include "support/io/on_loop.h"
#include "support/run/moment.h"
#include "support/server/fault_server.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

constexpr std::int64_t kRate = 64 * 1'024;
constexpr std::int64_t kSize = 4 * kRate;
constexpr std::int64_t kAtOnce = kRate / 8;  // What a limit lets pass before it holds.

// Lives on the loop's thread.
struct Watcher final : io::HttpUser {
  io::Go on_head(int, const io::HttpHead&) override { return io::Go::on; }
  io::Go on_body(int call, std::span<const std::byte> bytes) override {
    came[call] += std::ssize(bytes);
    return io::Go::on;
  }
  void on_end(int call, const io::HttpEnd& end) override {
    ends[call] = end.fault ? end.fault->code : "whole";
  }

  std::map<int, std::int64_t> came;
  std::map<int, std::string> ends;
};

struct StallBench {
  template <class Work>
  void on_loop(const Work& work) {
    testing::on_loop(*loop, work);
  }
  int begin(const std::string& url, const io::SpeedRule& speed) {
    int call = 0;
    on_loop([&] {
      io::HttpRequest request{.url = url, .direct = true, .stall_timeout = 1s, .speed = speed};
      request.reach.private_too = true;
      call = loop->begin(request, watcher);
    });
    return call;
  }
  std::int64_t came(int call) {
    std::int64_t bytes = 0;
    on_loop([&] { bytes = watcher.came[call]; });
    return bytes;
  }
  // The code of its fault, or "whole". Empty while it goes on.
  std::string end_of(int call) {
    std::string end;
    on_loop([&] { end = watcher.ends[call]; });
    return end;
  }

  TurnedClock clock;
  io::Throttle throttle{clock, 0};
  Watcher watcher;
  std::unique_ptr<io::HttpLoop> loop = io::make_http_loop(clock);
};

}  // namespace

TEST_CASE("a transfer that a speed limit silences past the stall timeout goes on and arrives") {
  const FaultServer server;
  StallBench b;
  const int limited =
      b.begin(server.url(fmt::format("/f/limited?size={}", kSize)), {&b.throttle, JobId{1}, kRate});
  REQUIRE(comes_true([&] { return b.came(limited) >= kAtOnce - 4 * 1'024; }));

  // Begins later and gets as many bytes, so the limited call is silent for longer than this one.
  const int silent = b.begin(
      server.url(fmt::format("/f/silent?size={}&stall_after={}", kSize, kAtOnce)), io::SpeedRule{});
  REQUIRE(comes_true([&] { return !b.end_of(silent).empty(); }));
  CHECK(b.end_of(silent) == "stalled");
  CHECK(b.end_of(limited).empty());
  CHECK(b.came(limited) <= kAtOnce + 2 * 1'024);

  CHECK(comes_true([&] {
    b.clock.pass(100ms);
    return !b.end_of(limited).empty();
  }));
  CHECK(b.end_of(limited) == "whole");
  CHECK(b.came(limited) == kSize);
}

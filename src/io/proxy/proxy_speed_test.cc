// The speed limits also apply to what a program fetches through its proxy. Limits and timeouts
// follow a clock that the test turns.

#include <doctest/doctest.h>

#include <atomic>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <utility>

#include "io/proxy/proxy.h"
#include "io/web/http.h"
#include "support/flow/turned_clock.h"
#include "support/io/on_loop.h"
#include "support/io/open_gate.h"
#include "support/server/canned_server.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

constexpr std::int64_t kRate = 64 * 1'024;
constexpr std::int64_t kSlack = 3 * 1'024;  // A piece, the head, and bytes on their way.
constexpr Millis kStallTimeout{1'000};

struct Counter final : io::HttpUser {
  io::Go on_head(int, const io::HttpHead&) override { return io::Go::on; }
  io::Go on_body(int, std::span<const std::byte> bytes) override {
    came += std::ssize(bytes);
    return io::Go::on;
  }
  void on_end(int, const io::HttpEnd&) override { ended = true; }

  std::atomic<std::int64_t> came = 0;
  std::atomic<bool> ended = false;
};

// A program that fetches one file through its proxy.
struct ProxyBench {
  explicit ProxyBench(CannedServer::Answer answer) : server{std::move(answer)} {
    std::string address;
    on_loop(*programs, [&] {
      proxy = io::open_proxy(*programs, gate, clock,
                             {.start = 1,
                              .token = "secret",
                              .reach = {.private_too = true, .allowed = {}},
                              .stall_timeout = kStallTimeout,
                              .speed = {&throttle, JobId{1}, 0}})
                  .value();
      address = proxy->address();
    });
    on_loop(*client, [&] {
      io::HttpRequest request{.url = server.url("/film"), .proxy = address};
      request.reach.private_too = true;
      client->begin(request, counter);
    });
  }
  ~ProxyBench() {
    on_loop(*programs, [&] { proxy.reset(); });
  }
  ProxyBench(const ProxyBench&) = delete;
  ProxyBench& operator=(const ProxyBench&) = delete;

  void turns(int count) {
    for (int i = 0; i < count; ++i) {
      on_loop(*programs, [] {});
      on_loop(*client, [] {});
    }
  }
  // Lets both loops take turns until `so` holds. False if it does not hold after a million turns.
  template <class So>
  bool until(So so) {
    for (int turn = 0; turn < 1'000'000 && !so(); ++turn) turns(1);
    return so();
  }
  // Lets both loops take turns until this many bytes have come. False if the transfer ends before.
  bool comes(std::int64_t bytes) {
    return until([&] { return counter.came >= bytes || counter.ended; }) && counter.came >= bytes;
  }
  // Small steps, so that the proxy looks for stalls as often as in real time.
  void pass(Millis time) {
    for (Millis passed{0}; passed < time; passed += 50ms) {
      clock.pass(50ms);
      turns(2);
    }
  }

  const CannedServer server;
  TurnedClock clock;
  io::Throttle throttle{clock, kRate};
  OpenGate gate;
  const std::unique_ptr<io::PollLoop> programs = io::make_poll_loop(clock);
  std::unique_ptr<io::Proxy> proxy;
  Counter counter;
  const std::unique_ptr<io::HttpLoop> client =
      io::make_http_loop(system_clock());  // Plays the program.
};

}  // namespace

TEST_CASE("a program's traffic is under the speed limit") {
  const std::string large(2 << 20, 'x');
  ProxyBench b{[&](std::string_view) { return canned(large); }};

  REQUIRE(b.comes(kRate / 8 - kSlack));
  for (int step = 1; step <= 100; ++step) {  // Five seconds.
    b.clock.pass(50ms);
    REQUIRE(b.comes(step * kRate / 20 - kSlack));
    CHECK(b.counter.came <= step * kRate / 20 + kRate / 8 + kSlack);
  }
  CHECK(!b.counter.ended);
}

TEST_CASE("a program's wait for the speed limit is no stall, however long it is") {
  const std::string large(2 << 20, 'x');
  ProxyBench b{[&](std::string_view) { return canned(large); }};
  REQUIRE(b.comes(kRate / 8 - kSlack));
  const auto other = b.throttle.join(JobId{2}, 0);
  other->count(10 * kRate);  // Another transfer has used up the next ten seconds.
  b.turns(10);
  const std::int64_t before = b.counter.came;

  b.pass(8 * kStallTimeout);
  CHECK(b.counter.came <= before + kSlack);
  CHECK(!b.counter.ended);

  for (int step = 0; step < 1'000 && b.counter.came < before + kRate; ++step) b.pass(50ms);
  CHECK(b.counter.came >= before + kRate);
  CHECK(!b.counter.ended);
}

TEST_CASE("a server's own silence is a stall, under a speed limit too") {
  std::promise<void> answers;
  const std::shared_future<void> answered = answers.get_future().share();
  std::atomic<bool> asked = false;
  ProxyBench b{[&asked, answered](std::string_view) {
    asked = true;
    answered.wait();
    return canned("late");
  }};
  CHECK(b.until([&] { return asked.load(); }));

  b.pass(kStallTimeout - 100ms);
  CHECK(!b.counter.ended);

  for (int step = 0; step < 1'000 && !b.counter.ended; ++step) b.pass(50ms);
  CHECK(b.counter.ended.load());
  answers.set_value();  // The server can stop now.
}

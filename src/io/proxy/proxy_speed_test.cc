// The speed limits also apply to what a program fetches through its proxy.

#include <doctest/doctest.h>

#include <atomic>
#include <functional>
#include <future>
#include <memory>
#include <string>

#include "io/proxy/proxy.h"
#include "io/web/http.h"
#include "support/canned_server.h"
#include "support/open_gate.h"
#include "support/turned_clock.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

constexpr std::int64_t kRate = 64 * 1'024;

struct Counter final : HttpUser {
  Go on_head(int, const HttpHead&) override { return Go::on; }
  Go on_body(int, std::span<const std::byte> bytes) override {
    came += std::ssize(bytes);
    return Go::on;
  }
  void on_end(int, const HttpEnd&) override { ended = true; }

  std::atomic<std::int64_t> came = 0;
  std::atomic<bool> ended = false;
};

template <class Loop>
void on_loop(Loop& loop, const std::function<void()>& work) {
  std::promise<void> done;
  loop.post([&] {
    work();
    done.set_value();
  });
  done.get_future().wait();
}

}  // namespace

TEST_CASE("a program's traffic is under the speed limit, and its waits for it are no stall") {
  const std::string large(2 << 20, 'x');
  const CannedServer server{[&](std::string_view) { return canned(large); }};
  TurnedClock clock;
  Throttle throttle{clock, kRate};
  OpenGate gate;
  const auto programs = make_poll_loop(clock);
  std::unique_ptr<Proxy> proxy;
  std::string address;
  on_loop(*programs, [&] {
    proxy = open_proxy(*programs, gate, clock,
                       {.start = 1,
                        .token = "secret",
                        .reach = {.private_too = true, .allowed = {}},
                        .stall_timeout = 1s,
                        .speed = {&throttle, JobId{1}, 0}})
                .value();
    address = proxy->address();
  });
  Counter counter;
  const auto client = make_http_loop(system_clock());  // Plays the program.
  on_loop(*client, [&] {
    HttpAsk ask{.url = server.url("/film"), .proxy = address};
    ask.reach.private_too = true;
    client->begin(ask, counter);
  });
  const auto comes = [&](std::int64_t bytes) {
    for (int turn = 0; turn < 1'000'000 && counter.came < bytes; ++turn) {
      on_loop(*programs, [] {});
      on_loop(*client, [] {});
    }
    return counter.came >= bytes;
  };
  constexpr std::int64_t kSlack = 3 * 1'024;  // A piece, the head, and bytes on their way.

  REQUIRE(comes(kRate / 8 - kSlack));
  for (int step = 1; step <= 100; ++step) {  // Five seconds, and five times the stall timeout.
    clock.pass(50ms);
    REQUIRE(comes(step * kRate / 20 - kSlack));
    CHECK(counter.came <= step * kRate / 20 + kRate / 8 + kSlack);
  }
  CHECK(!counter.ended);
  on_loop(*programs, [&] { proxy.reset(); });
}

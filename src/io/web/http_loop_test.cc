// The HTTP loop against a server on this machine. No body, however it is compressed, keeps other
// calls from their turn. Speed limits follow a clock that the test turns.

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "io/web/http.h"
#include "support/flow/turned_clock.h"
#include "support/io/on_loop.h"
#include "support/io/packed.h"
#include "support/server/canned_server.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

constexpr std::int64_t kMiB = 1 << 20;

// Records all callbacks of a test's calls. Lives on the loop's thread; only the atomics are shared.
struct Watcher final : io::HttpUser {
  io::Go on_head(int, const io::HttpHead&) override { return io::Go::on; }
  io::Go on_body(int call, std::span<const std::byte> bytes) override {
    came[call] += std::ssize(bytes);
    total += std::ssize(bytes);
    return io::Go::on;
  }
  void on_end(int call, const io::HttpEnd& end) override {
    faults[call] = end.fault ? end.fault->code : "none";
    ++ended;
  }

  std::map<int, std::int64_t> came;
  std::map<int, std::string> faults;
  std::atomic<std::int64_t> total = 0;
  std::atomic<int> ended = 0;
};

struct LoopBench {
  explicit LoopBench(CannedServer::Answer answer, std::int64_t per_second = 0)
      : throttle{clock, per_second}, server{std::move(answer)} {}

  // Runs `work` on the loop and returns when it is done.
  template <class Work>
  void on_loop(const Work& work) {
    testing::on_loop(*loop, work);
  }
  int begin(std::string_view path, io::SpeedRule speed = {}) {
    int call = 0;
    on_loop([&] {
      io::HttpRequest request{
          .url = server.url(path), .direct = true, .speed = speed, .decode = true};
      request.reach.private_too = true;
      call = loop->begin(request, watcher);
    });
    return call;
  }
  // Lets the loop take turns until `so` holds. False if it does not hold after a million turns.
  template <class So>
  bool until(So so) {
    for (int turn = 0; turn < 1'000'000; ++turn) {
      if (so()) return true;
      on_loop([] {});
    }
    return false;
  }
  bool has_come(int call) {
    bool has = false;
    on_loop([&] { has = watcher.came.contains(call); });
    return has;
  }
  void turns(int count) {
    for (int i = 0; i < count; ++i) on_loop([] {});
  }
  std::string end_of(std::string_view path) {
    const int before = watcher.ended;
    const int call = begin(path);
    return until([&] { return watcher.ended > before; }) ? watcher.faults.at(call) : "hangs";
  }

  TurnedClock clock;
  io::Throttle throttle;
  Watcher watcher;
  CannedServer server;
  std::unique_ptr<io::HttpLoop> loop = io::make_http_loop(clock);
};

}  // namespace

TEST_CASE("F35: between two turns of the loop a body expands by little, and others go on") {
  const std::string coded = packed(packed(std::string(15 * kMiB, '\0')));
  LoopBench b{[&](std::string_view path) {
    return path == "/bomb" ? canned(coded, "Content-Encoding: gzip, gzip\r\n") : canned("small");
  }};
  // Looks at every turn of the loop, because it posts itself again.
  std::int64_t seen = 0;
  std::int64_t most_in_a_turn = 0;
  std::function<void()> look = [&] {
    most_in_a_turn = std::max(most_in_a_turn, b.watcher.total - seen);
    seen = b.watcher.total;
    if (b.watcher.ended < 2) b.loop->post(look);
  };
  b.loop->post(look);  // Posted before the first byte can come.
  const int bomb = b.begin("/bomb");
  REQUIRE(b.until([&] { return b.watcher.total > 0; }));
  const int small = b.begin("/small");
  REQUIRE(b.until([&] { return b.watcher.ended == 2; }));
  b.turns(2);  // Until the last look is over.

  CHECK(b.watcher.came.at(bomb) == 15 * kMiB);
  CHECK(b.watcher.came.at(small) == 5);
  CHECK(most_in_a_turn <= kMiB + 64 * 1'024);
}

TEST_CASE(
    "F35: a body that expands too far is a fault, and so is one that is cut or not coded so") {
  const std::string whole = packed(std::string(1'000, 'x'));
  const std::string bomb = packed(packed(std::string(40 * kMiB, '\0')));
  LoopBench b{[&](std::string_view path) {
    if (path == "/whole") return canned(whole, "Content-Encoding: gzip\r\n");
    if (path == "/bomb")
      return canned(bomb, "Content-Encoding: gzip\r\nContent-Encoding: gzip\r\n");
    if (path == "/cut")
      return canned(whole.substr(0, whole.size() - 1), "Content-Encoding: gzip\r\n");
    if (path == "/plain") return canned("plain", "Content-Encoding: gzip\r\n");
    if (path == "/transfer") return canned(bomb, "Transfer-Encoding: gzip, chunked\r\n");
    if (path == "/second-start") return canned(bomb, "Transfer-Encoding: gzip\r\nHTTP/x: y\r\n");
    return canned("br", "Content-Encoding: br\r\n");
  }};

  CHECK(b.end_of("/whole") == "none");
  CHECK(b.watcher.total == 1'000);
  CHECK(b.end_of("/bomb") == "expands_too_much");
  CHECK(b.end_of("/cut") == "truncated");
  CHECK(b.end_of("/plain") == "bad_answer");
  CHECK(b.end_of("/transfer") == "bad_answer");
  CHECK(b.end_of("/second-start") == "bad_answer");
  CHECK(b.end_of("/brotli") == "bad_answer");
}

TEST_CASE("H42: an answer without a whole final head is a fault, and none of its bytes is a body") {
  const std::map<std::string, std::string, std::less<>> answers{
      {"/switch", "HTTP/1.1 101 Switching Protocols\r\n\r\nfive!"},
      {"/switch-only", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"},
      {"/two-digits", "HTTP/2 99 X\r\n\r\nfive!"},
      {"/two-digits-only", "HTTP/2 99 X\r\n\r\n"},
      {"/no-number", "HTTP/2 -7\r\n\r\nfive!"},
      {"/bare-return", "HTTP/1.1 200 OK\r\n\rfoo: bar\r\nfive!"},
      {"/hints-only", "HTTP/1.1 103 Early Hints\r\n\r\n"},
      {"/cut", "HTTP/1.1 200 OK\r\nX: y\r\n"},
      {"/cut-later", "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\n"}};
  LoopBench b{[&](std::string_view path) { return answers.find(path)->second; }};

  for (const char* path : {"/switch", "/switch-only", "/two-digits", "/two-digits-only",
                           "/no-number", "/bare-return"}) {
    CAPTURE(path);
    CHECK(b.end_of(path) == "bad_answer");
  }
  for (const char* path : {"/hints-only", "/cut", "/cut-later"}) {
    CAPTURE(path);
    CHECK(b.end_of(path) == "connection_lost");
  }
  CHECK(b.watcher.total == 0);
}

TEST_CASE("a speed limit holds a transfer until time passes, and to be held is no end") {
  constexpr std::int64_t kRate = 64 * 1'024;
  const std::string large(4 * kMiB, 'x');
  LoopBench b{[&](std::string_view) { return canned(large); }};
  const io::SpeedRule rule{&b.throttle, JobId{1}, kRate};
  const int one = b.begin("/one", rule);
  const int two = b.begin("/two", rule);

  // The full bucket comes at once, then nothing. The clock stands still until both are connected.
  REQUIRE(b.until([&] { return b.has_come(one) && b.has_come(two); }));
  REQUIRE(b.until([&] { return b.watcher.total >= kRate / 8 - 4 * 1'024; }));
  b.turns(50);
  CHECK(b.watcher.total <= kRate / 8 + 2 * 1'024);

  for (int step = 1; step <= 200; ++step) {  // Ten seconds.
    b.clock.pass(50ms);
    REQUIRE(b.until([&] { return b.watcher.total >= step * kRate / 20 - 4 * 1'024; }));
  }
  b.turns(50);
  CHECK(b.watcher.total <= 10 * kRate + kRate / 8 + 2 * 1'024);
  CHECK(b.watcher.ended == 0);
  // The full bucket of the start may go to the transfer that connects first.
  CHECK(std::abs(b.watcher.came.at(one) - b.watcher.came.at(two)) <= kRate / 8 + 2 * 1'024);
}

TEST_CASE("a speed limit holds small files too: they begin when there is something for them") {
  constexpr std::int64_t kRate = 64 * 1'024;
  const std::string small(8 * 1'024, 'x');
  LoopBench b{[&](std::string_view) { return canned(small); }, kRate};
  for (int i = 0; i < 16; ++i) b.begin("/small", {&b.throttle, JobId{i}, 0});
  REQUIRE(b.until([&] { return b.watcher.total >= 4 * 1'024; }));
  b.turns(200);
  CHECK(b.watcher.total <= kRate / 8 + 8 * 1'024);
  CHECK(b.watcher.ended < 16);

  for (int tenth = 1; tenth <= 17; ++tenth) {  // 128 KiB need less than 1.9 s from here.
    b.clock.pass(100ms);
    b.turns(50);
    CHECK(b.watcher.total <= kRate / 8 + 16 * 1'024 + tenth * kRate / 10);
  }
  b.clock.pass(1s);
  for (int i = 0; i < 10'000 && b.watcher.ended < 16; ++i) {
    b.clock.pass(10ms);
    b.turns(1);
  }
  CHECK(b.watcher.ended == 16);
  CHECK(b.watcher.total == 16 * 8 * 1'024);
}

TEST_CASE("a request that waits for the speed limit past the head timeout does not time out") {
  constexpr std::int64_t kRate = 64 * 1'024;
  LoopBench b{[](std::string_view) { return canned("small"); }, kRate};
  const auto other = b.throttle.join(JobId{2}, 0);
  other->count(200 * kRate);  // Another transfer has used up the next 200 s.
  const int call = b.begin("/small", {&b.throttle, JobId{1}, 0});

  for (int second = 0; second < 150; ++second) {  // The head timeout is 60 s.
    b.clock.pass(1s);
    b.turns(2);
  }
  CHECK(b.watcher.ended == 0);
  CHECK(b.watcher.total == 0);

  b.clock.pass(60s);
  REQUIRE(b.until([&] { return b.watcher.ended == 1; }));
  CHECK(b.watcher.faults.at(call) == "none");
  CHECK(b.watcher.total == 5);
}

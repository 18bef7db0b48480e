#include "app/wiring/server.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <deque>
#include <string>

#include "support/api/api_bench.h"
#include "support/api/raw_http.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

// Holds every thread that comes to it until the test opens it.
class Barrier {
 public:
  void pass() {
    const Lock lock{mutex_};
    ++held_;
    changed_.notify_all();
    changed_.wait(mutex_, [this]() REQUIRES(mutex_) { return open_; });
    --held_;
  }
  // Waits until it holds this many threads. False if it does not within this time.
  bool comes_to_hold(int threads, Millis within) {
    const Lock lock{mutex_};
    return changed_.wait_for(mutex_, within, [&]() REQUIRES(mutex_) { return held_ >= threads; });
  }
  void open() {
    const Lock lock{mutex_};
    open_ = true;
    changed_.notify_all();
  }

 private:
  Mutex mutex_;
  Condition changed_;
  int held_ GUARDED_BY(mutex_) = 0;
  bool open_ GUARDED_BY(mutex_) = false;
};

// The daemon's server. A login that fails stops where it is logged, on the thread that has hashed
// its password.
struct ServerBench {
  ~ServerBench() { barrier.open(); }  // Else the server would wait for its threads for ever.

  ApiBench bench;
  Barrier barrier;
  api::Api api{{.store = bench.store(),
                .clock = bench.clock,
                .settings = {},
                .live = bench.live,
                .progress = bench.progress,
                .meter = bench.meter,
                .wake = {},
                .files = {},
                .allowed_hosts = {},
                .folder = "/in",
                .version = "test",
                .say = [this](const api::Notice&) { barrier.pass(); }}};
  Lent<io::HttpServer> lent;
  app::ApiServer server{
      api, {.listen = {"127.0.0.1", 0}, .allowed_hosts = {}, .trusted_proxies = {}}, lent};
};

std::string login(int user) {
  const std::string body =
      fmt::format(R"({{"name":"nobody{}","password":"wrong password"}})", user);
  return fmt::format(
      "POST /api/v1/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
      "Content-Length: {}\r\n\r\n{}",
      body.size(), body);
}

}  // namespace

TEST_CASE("the daemon hashes two passwords at once, a third waits, and other requests do not") {
  ServerBench b;
  std::deque<RawConnection> clients;
  for (int user = 1; user <= 3; ++user)
    clients.emplace_back("127.0.0.1", b.server.port()).send(login(user));

  CHECK(b.barrier.comes_to_hold(2, 30s));
  const RawConnection other{"127.0.0.1", b.server.port()};
  other.send("GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n");
  CHECK(other.read_answer().status() == 200);
  CHECK_FALSE(b.barrier.comes_to_hold(3, 300ms));  // To hash one takes some 20 ms.

  b.barrier.open();
  for (const RawConnection& client : clients) CHECK(client.read_answer().status() == 401);
}

}  // namespace haul::testing

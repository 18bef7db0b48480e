// The proxy that haul runs for a child program, with real connections: which requests pass, which
// take a slot at the gate, and which are refused.

#include "io/proxy/proxy.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <atomic>
#include <mutex>
#include <set>

#include "io/proxy/proxy_head.h"
#include "support/api/raw_http.h"
#include "support/io/on_loop.h"
#include "support/run/moment.h"
#include "support/server/fault_server.h"

using namespace haul;
using namespace haul::testing;

namespace {

// Lets this many connections in at once, and records the hosts.
class CountingGate final : public Gate {
 public:
  explicit CountingGate(std::size_t slots) : slots_{slots} {}
  bool pass(std::int64_t, const std::string&) override { return false; }
  std::size_t done(std::int64_t) override { return 0; }
  bool more(std::int64_t) override { return false; }
  void less(std::int64_t) override {}
  std::optional<std::int64_t> enter(std::int64_t, const std::string& host) override {
    const std::lock_guard lock{mutex_};
    if (inside_.size() >= slots_) return std::nullopt;
    hosts_.insert(host);
    inside_.insert(++last_);
    return last_;
  }
  void leave(std::int64_t door) override {
    const std::lock_guard lock{mutex_};
    inside_.erase(door);
  }
  void block(const std::string&, std::int64_t wait_ms) override { blocked_ms = wait_ms; }

  std::size_t inside() {
    const std::lock_guard lock{mutex_};
    return inside_.size();
  }
  std::set<std::string> hosts() {
    const std::lock_guard lock{mutex_};
    return hosts_;
  }
  std::atomic<std::int64_t> blocked_ms = 0;

 private:
  const std::size_t slots_;
  std::mutex mutex_;
  std::set<std::int64_t> inside_;
  std::set<std::string> hosts_;
  std::int64_t last_ = 0;
};

class Opened {
 public:
  explicit Opened(std::size_t slots = 2, io::Reach reach = {.private_too = true, .allowed = {}})
      : gate{slots} {
    on_loop([&] {
      auto proxy = io::open_proxy(*loop_, gate, system_clock(),
                                  {.start = 1, .token = "secret", .reach = reach});
      proxy_ = *std::move(proxy);
    });
  }
  ~Opened() { close(); }

  void close() {
    on_loop([&] { proxy_.reset(); });
  }
  std::string refusal() {
    std::optional<Fault> fault;
    on_loop([&] { fault = proxy_->refusal(); });
    return fault ? fault->code : "";
  }
  RawConnection connect() { return {"127.0.0.1", port()}; }
  // Sends a GET of this URL through the proxy and returns the whole answer.
  RawReply get(const std::string& url, const std::string& token = "secret") {
    const RawConnection connection{"127.0.0.1", port()};
    connection.send(fmt::format("GET {} HTTP/1.1\r\nHost: x\r\nProxy-Authorization: {}\r\n\r\n",
                                url, io::basic_login("haul:" + token)));
    return connection.read();
  }
  std::string connect_request(const std::string& to) const {
    return fmt::format("CONNECT {} HTTP/1.1\r\nProxy-Authorization: {}\r\n\r\n", to,
                       io::basic_login("haul:secret"));
  }

  CountingGate gate;

 private:
  std::uint16_t port() {
    std::uint16_t port = 0;
    on_loop([&] { port = proxy_->port(); });
    return port;
  }
  void on_loop(const std::function<void()>& work) { testing::on_loop(*loop_, work); }

  std::unique_ptr<io::Proxy> proxy_;
  std::unique_ptr<io::PollLoop> loop_ = io::make_poll_loop(system_clock());
};

}  // namespace

TEST_CASE("a plain request goes through, and its slot is free after") {
  const FaultServer server;
  Opened proxy;

  const RawReply reply = proxy.get(server.url("/f/a?size=100000"));

  CHECK(reply.status() == 200);
  CHECK(reply.body() == FaultServer::content("a", 100'000));
  CHECK(reply.header("Connection") == "close");
  CHECK(proxy.gate.hosts() == std::set<std::string>{"127.0.0.1"});
  CHECK(comes_true([&] { return proxy.gate.inside() == 0; }));
  CHECK(server.log().at(0).headers.count("proxy-authorization") == 0);
}

TEST_CASE("a tunnel holds one slot while it lasts, however much is said in it") {
  const FaultServer server;
  Opened proxy;
  const RawConnection connection = proxy.connect();
  connection.send(proxy.connect_request(fmt::format("127.0.0.1:{}", server.port())));
  CHECK(connection.read_body(0).status() == 200);

  for (int i = 0; i < 3; ++i) {
    connection.send(raw_request("/f/a?size=10"));
    CHECK(connection.read_answer().status() == 200);
    CHECK(proxy.gate.inside() == 1);
  }
}

TEST_CASE("a request that finds no slot waits until there is one") {
  const FaultServer server;
  Opened proxy{1};
  {
    const RawConnection first = proxy.connect();
    first.send(proxy.connect_request(fmt::format("127.0.0.1:{}", server.port())));
    CHECK(first.read_body(0).status() == 200);
    CHECK(proxy.gate.inside() == 1);
  }
  CHECK(proxy.get(server.url("/f/a")).status() == 200);
}

TEST_CASE("F38: a private address is refused where the policy refuses it, and nothing is sent") {
  const FaultServer server;
  Opened proxy{2, {.private_too = false, .allowed = {}}};

  CHECK(proxy.get(server.url("/f/a")).status() == 403);
  CHECK(proxy.refusal() == "private_address");
  const RawConnection connection = proxy.connect();
  connection.send(proxy.connect_request("localhost:8443"));
  CHECK(connection.read().status() == 403);
  CHECK(server.log().empty());
  CHECK(proxy.gate.inside() == 0);
}

TEST_CASE("F38: what config allows besides is let through") {
  const FaultServer server;
  Opened proxy{2, {.private_too = false, .allowed = {*io::Network::parse("127.0.0.1")}}};
  CHECK(proxy.get(server.url("/f/a")).status() == 200);
}

TEST_CASE("no program gets in without the password, and no other port is a way out") {
  const FaultServer server;
  Opened proxy;
  CHECK(proxy.get(server.url("/f/a"), "guess").status() == 407);
  CHECK(proxy.get("http://127.0.0.1:22/").status() == 400);
  CHECK(proxy.get("/f/a").status() == 400);
  CHECK(server.log().empty());
}

TEST_CASE("a server that is not there is an answer, not a silence") {
  Opened proxy;
  CHECK(proxy.get("http://127.0.0.1:8009/").status() == 502);
  CHECK(comes_true([&] { return proxy.gate.inside() == 0; }));
}

TEST_CASE("a server that asks for patience is left alone by everybody") {
  const FaultServer server;
  Opened proxy;
  CHECK(proxy.get(server.url("/f/a?status=429&retry_after=7")).status() == 429);
  CHECK(proxy.gate.blocked_ms == 7'000);
}

TEST_CASE("answers that come before the answer are kept back") {
  const FaultServer server;
  Opened proxy;
  const RawReply reply = proxy.get(server.url("/f/a?early_hints=3"));
  CHECK(reply.status() == 200);
  CHECK(reply.body() == FaultServer::content("a", 1'024));
}

TEST_CASE("it ends with the object that opened it, in the middle of anything") {
  const FaultServer server;
  Opened proxy;
  const RawConnection connection = proxy.connect();
  connection.send(fmt::format("GET {} HTTP/1.1\r\nProxy-Authorization: {}\r\n\r\n",
                              server.url("/f/a?size=1000000&limit_rate=1000"),
                              io::basic_login("haul:secret")));
  CHECK(connection.read_body(1).status() == 200);

  proxy.close();

  CHECK(connection.read().end != RawReply::End::timed_out);
  CHECK(proxy.gate.inside() == 0);
}

// F15: a client that holds a connection and makes no progress cannot keep others from connecting.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <deque>
#include <fstream>

#include "api/api.h"
#include "io/web/http_server.h"
#include "support/process/daemon.h"
#include "support/process/memory.h"
#include "support/run/moment.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

std::unique_ptr<io::HttpServer> strict_server() {
  io::ServerSettings settings;
  settings.head_deadline = Millis{300};
  settings.idle_deadline = Millis{600};
  settings.body_max = [](std::string_view, std::string_view) { return std::size_t{1'000}; };
  return io::make_http_server(
      settings,
      [](WebRequest, const io::WebAnswer& answer) { answer({.status = 200, .body = "here"}); },
      api::Api::refuse);
}

// Sends `bytes` every 50 ms, up to 400 times. True if the server closes the connection.
bool is_cut_off(const RawConnection& connection, const std::string& bytes) {
  try {
    for (int i = 0; i < 400; ++i) {
      connection.send(bytes);
      const RawReply reply = connection.read_some(50ms);
      if (reply.end != RawReply::End::timed_out && reply.bytes.empty()) return true;
    }
  } catch (const std::runtime_error&) {
    return true;
  }
  return false;
}

}  // namespace

TEST_CASE("F15: a head that drips is cut off, and so is who says nothing") {
  const auto server = strict_server();
  const RawConnection dripping{"127.0.0.1", server->port()};
  const RawConnection silent{"127.0.0.1", server->port()};
  const RawConnection other{"127.0.0.1", server->port()};
  CHECK(is_cut_off(dripping, "G"));
  other.send("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  CHECK(other.read_answer().body() == "here");
  const RawReply nothing = silent.read();
  CHECK(nothing.bytes.empty());
  CHECK(nothing.end == RawReply::End::closed);
}

TEST_CASE("F15: a body that drips is cut off") {
  const auto server = strict_server();
  const RawConnection dripping{"127.0.0.1", server->port()};
  dripping.send("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n");
  CHECK(is_cut_off(dripping, "a"));
}

TEST_CASE("F15: listeners who never read cost no memory, and are told to look anew") {
  constexpr int kSlow = 200;
  constexpr int kStalled = 50;
  constexpr int kBodies = 12;
  const Daemon daemon;
  std::deque<RawConnection> slow;
  for (int i = 0; i < kSlow; ++i) slow.emplace_back("127.0.0.1", daemon.port()).send("G");
  std::deque<RawConnection> stalled;
  for (int i = 0; i < kStalled; ++i)
    stalled.emplace_back("127.0.0.1", daemon.port())
        .send(fmt::format("GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: {}\r\n\r\n",
                          daemon.key()));
  std::string body;
  for (int i = 0; i < 1'000; ++i)
    body += std::string{i == 0 ? "[" : ","} +
            R"({"lifecycle":"batch","paused":true,"request":{"url":"https://example.org/a"}})";
  body += "]";
  CHECK(daemon.post("/api/v1/jobs/batch", body).status() == 200);
  const long before = resident_kib(daemon.pid());
  for (int i = 0; i < kBodies; ++i)  // More than all sockets of the test and the daemon can buffer.
    CHECK(daemon.post("/api/v1/jobs/batch", body).status() == 200);
  const long after = resident_kib(daemon.pid());
  // If the daemon kept the events for each listener, they alone would take more than 100 MiB. It
  // grows by 24 to 35 MiB.
  if (measures_memory()) CHECK(after - before < 64 * 1024);
  std::string told;
  for (int i = 0; i < 300 && told.find("event: resync") == std::string::npos; ++i)
    told += stalled.front().read_some(100ms).bytes;
  CHECK(told.find("event: resync") != std::string::npos);
  CHECK(daemon.get("/health/ready").status() == 200);
}

// The fault server as a program: what it logs, how long it takes, when it ends.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <csignal>
#include <string>
#include <vector>

#include "support/server/fault_server.h"

using namespace haul::testing;
using namespace std::chrono_literals;

TEST_CASE("fault server: a stalled answer lasts until its client goes, and the log says so") {
  const FaultServer server;
  {
    const RawConnection first{server.address(), server.port()};
    const RawConnection second{server.address(), server.port()};
    first.send(raw_request("/f/a?size=100&stall_after=10", "Range: bytes=1-\r\nX-Y: z\r\n"));
    const RawReply reply = first.read_body(10);
    CHECK(reply.body() == FaultServer::content("a", 100).substr(1, 10));
    second.send(raw_request("/f/a?stall_after=head"));
    CHECK(server.log().at(0).ended.empty());
  }

  const std::vector<LoggedRequest> log = server.log();
  REQUIRE(log.size() == 2);
  CHECK(log[0].ended == "client_left");
  CHECK(log[0].sent == 10);
  CHECK(log[0].status == 206);
  CHECK(log[0].range == "bytes=1-");
  CHECK(log[0].host == "test");
  CHECK(log[0].headers.at("x-y") == "z");
  CHECK(log[1].query == "stall_after=head");
  CHECK(log[1].sent == 0);
  CHECK(server.most_at_once() == 2);
  CHECK(server.start_gaps().size() == 1);
}

TEST_CASE("fault server: one connection serves many requests, and they are one at once") {
  const FaultServer server;
  const RawConnection connection{server.address(), server.port()};
  for (int i = 0; i < 100; ++i) {
    connection.send(raw_request("/f/a?size=100"));
    CHECK(connection.read_answer().body() == FaultServer::content("a", 100));
  }
  connection.send("HEAD /f/a?size=100&delay_ms=1 HTTP/1.1\r\n\r\n");
  connection.send(raw_request("/f/b?status=500"));
  connection.send("not http\r\n\r\n");
  const RawReply rest = connection.read();

  CHECK(rest.header("Content-Length") == "100");
  CHECK(rest.body().starts_with("HTTP/1.1 500 "));
  CHECK(rest.body().find("HTTP/1.1 400 ") != std::string::npos);
  CHECK(server.most_at_once() == 1);
  CHECK(server.log().back().ended == "kept");
  CHECK(server.get("/count").body() == "{\"/f/a\":101,\"/f/b\":1}\n");
}

TEST_CASE("fault server: who leaves one answer to ask for another has one at once") {
  const FaultServer server;
  const RawConnection older{server.address(), server.port()};
  for (int i = 0; i < 50; ++i) {
    {
      const RawConnection left{server.address(), server.port()};
      left.send(raw_request("/f/a?stall_after=1"));
      left.read_body(1);
    }
    older.send(raw_request("/f/a"));
    older.read_answer();
  }
  CHECK(server.log().size() == 100);
  CHECK(server.most_at_once() == 1);
}

TEST_CASE("fault server: a slow answer is not over before its time") {
  const FaultServer server;
  struct SlowCase {
    std::string switches;
    std::chrono::microseconds at_least;
  };
  const std::vector<SlowCase> cases = {
      {"size=20&drip=1000", 19ms},          // Nineteen waits between twenty bytes.
      {"size=300&limit_rate=2000", 100ms},  // Two between three pieces.
      {"size=0&header_drip=10000", 10ms},   // A head has over a hundred bytes.
      {"size=0&delay_ms=20", 20ms},
  };
  for (const SlowCase& one : cases) {
    CHECK(server.get("/f/a?" + one.switches).status() == 200);
    const LoggedRequest logged = server.log().back();
    CHECK_MESSAGE(logged.ended_at.value() - logged.started_at >= one.at_least, one.switches);
  }
}

TEST_CASE("fault server: it ends with its standard input, by a SIGTERM, and not by a client") {
  CHECK(run_program({HAUL_FAULT_SERVER}).code == 0);
  CHECK(run_program({HAUL_FAULT_SERVER, "--bind", "nowhere"}).code == 1);
  CHECK(run_program({HAUL_FAULT_SERVER, "--bind"}).code == 2);

  FaultServer server{"127.0.0.2"};
  CHECK(server.url("/f/a") == fmt::format("http://127.0.0.2:{}/f/a", server.port()));
  const RawConnection talker{server.address(), server.port()};
  talker.send(std::string(100'000, 'x'));
  CHECK(talker.read().status() == 400);
  CHECK(server.get("/f/a").status() == 200);

  ::kill(server.process().pid(), SIGTERM);
  CHECK_FALSE(server.process().line());
  CHECK(server.process().kill() == 0);
}

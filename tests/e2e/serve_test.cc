// The daemon as its users see it: a process with a port.

#include <doctest/doctest.h>
#include <fmt/core.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>

#include "base/clock.h"
#include "support/io/packed.h"
#include "support/process/daemon.h"
#include "support/run/moment.h"
#include "support/run/proof.h"
#include "support/server/canned_server.h"
#include "support/server/fault_server.h"
#include "support/store/invariants.h"
#include "support/store/sql.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

std::string content_of(const std::filesystem::path& file) {
  std::ifstream in{file, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}

// Waits until the daemon shows bytes of the job's transfer.
bool bytes_come(const Daemon& daemon, const std::string& id) {
  for (int i = 0; i < 3'000; ++i) {
    const std::string progress = member_of(daemon.job(id), "progress");
    if (progress != "null" && member_of(progress, "have") != "0") return true;
    let_pass(10ms);
  }
  return false;
}

// Compressed twice: each kilobyte and a bit of it expands to 80 KB of empty gzip members, which the
// second decoder reads one by one. That is within the limits of a decoder, takes it many seconds,
// and leaves a small file.
std::string slow_to_expand() {
  const std::string empty = packed("");
  std::string inner = packed(FaultServer::content("filler", 1'024));
  for (int i = 0; i < 4'000; ++i) inner += empty;
  const std::string unit = packed(inner);
  std::string body;
  while (body.size() < (std::size_t{32} << 20U)) body += unit;
  return body;
}

// Adds another job and waits until it is done. By then the worker has looked for work and taken it.
void work_goes_on(const Daemon& daemon) {
  const FaultServer other{"127.0.0.2"};
  CHECK(daemon.comes_to(daemon.add(other.url("/f/other")), "COMPLETED"));
}

}  // namespace

TEST_CASE("promise 21: the first start makes a key that only its owner can read") {
  const Daemon daemon;
  struct stat file{};
  REQUIRE(::stat((daemon.data() / "admin.key").c_str(), &file) == 0);
  CHECK((file.st_mode & 0777U) == 0600);
  CHECK(daemon.key().size() == 46);
  CHECK(daemon.get("/api/v1/me").status() == 200);
  CHECK(content_of(daemon.data() / "haul.db").find(daemon.key()) == std::string::npos);
}

TEST_CASE("a link that is added arrives, and is told about as it does") {
  const FaultServer server;
  Daemon daemon;
  const RawConnection listener{"127.0.0.1", daemon.port()};
  listener.send(fmt::format(
      "GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: {}\r\n\r\n", daemon.key()));
  const std::string id = daemon.add(server.url("/f/a.bin?size=100000"));
  CHECK(daemon.comes_to(id, "COMPLETED"));
  CHECK(content_of(daemon.downloads() / "a.bin") == FaultServer::content("a.bin", 100'000));
  const std::string heard = listener.read_body(800).bytes;
  CHECK(heard.find("text/event-stream") != std::string::npos);
  CHECK(heard.find("event: moved") != std::string::npos);
  CHECK(member_of(daemon.get("/api/v1/jobs/" + id + "/result").body(), "success") == "true");
  CHECK(daemon.stop() == 0);
}

TEST_CASE("promise 23: a second daemon on the same data is refused at once, with the pid") {
  const Daemon daemon;
  const Finished second = run_program(
      {HAUL_BINARY, "serve", "--data", daemon.data().string(), "--listen", "127.0.0.1:0"});
  CHECK(second.code == 1);
  CHECK(second.err.find(std::to_string(daemon.pid())) != std::string::npos);
}

TEST_CASE("C24: a port that is in use ends the start at once, with its address and what to do") {
  const FaultServer server;
  const TempFolder folder;
  const std::string at = fmt::format("127.0.0.1:{}", server.port());
  const Finished refused = run_program({"timeout", "60", HAUL_BINARY, "serve", "--data",
                                        (folder / "data").string(), "--listen", at});
  CHECK(refused.code == 1);
  CHECK(refused.err.find("cannot listen at " + at + ": ") != std::string::npos);
  CHECK(refused.err.find("server.listen") != std::string::npos);
}

TEST_CASE("systemd hears when the daemon is ready, that it lives, and that it stops") {
  const TempFolder folder;
  const std::string at = (folder / "notify").string();
  const int fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  REQUIRE(fd >= 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, at.data(), at.size());
  REQUIRE(::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  const auto hear = [fd] {
    std::array<char, 100> text{};
    pollfd waits{fd, POLLIN, 0};
    if (::poll(&waits, 1, 30'000) != 1) return std::string{"nothing"};
    const ssize_t size = ::recv(fd, text.data(), text.size(), 0);
    return std::string{text.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0))};
  };
  {
    Daemon daemon{{"NOTIFY_SOCKET=" + at, "WATCHDOG_USEC=200000"}};
    CHECK(hear() == "READY=1");
    CHECK(daemon.get("/ping").status() == 200);
    CHECK(hear() == "WATCHDOG=1");
    CHECK(daemon.stop() == 0);
  }
  std::string last;
  for (std::string heard = "WATCHDOG=1"; heard == "WATCHDOG=1"; last = heard) heard = hear();
  CHECK(last == "STOPPING=1");
  ::close(fd);
}

TEST_CASE("promise 20: what arrives through the daemon does not reach private addresses") {
  const FaultServer server;
  const TempFolder folder;
  const Daemon daemon{folder.path() / "data", false};
  const std::string id = daemon.add(server.url("/f/a"));
  CHECK(daemon.comes_to(id, "COMPLETED"));
  const RawReply items = daemon.get("/api/v1/jobs/" + id + "/items");
  CHECK(items.body().find("\"state\":\"FAILED\"") != std::string::npos);
  CHECK(items.body().find("\"reason\":\"private_address\"") != std::string::npos);
  CHECK(server.log().empty());
}

TEST_CASE(
    "F55: stopped in the middle of a file it burns no attempt, and goes on (proof: within 10 s)" *
    doctest::test_suite("proof alone")) {
  const FaultServer server;
  Daemon daemon;
  const std::string id = daemon.add(server.url("/f/big?size=6000000&limit_rate=2000000"));
  REQUIRE(bytes_come(daemon, id));
  const Steady before = system_clock().steady();
  CHECK(daemon.stop() == 0);
  CHECK(is_within(system_clock().steady() - before, 10s));
  {
    Sql store{daemon.data() / "haul.db"};
    CHECK(store.ask("SELECT state, attempt FROM jobs") == "PENDING|0");
  }
  daemon.start();
  CHECK(daemon.comes_to(id, "COMPLETED"));
  CHECK(content_of(daemon.downloads() / "big") == FaultServer::content("big", 6'000'000));
  CHECK(server.log().back().status == 206);
}

TEST_CASE("F55, F35: stopped while a body expands it fails nothing (proof: within 10 s)" *
          doctest::test_suite("proof alone")) {
  const std::string answer = canned(slow_to_expand(), "Content-Encoding: gzip, gzip\r\n");
  const CannedServer server{[&](std::string_view) { return answer; }};
  Daemon daemon;
  const std::string id = daemon.add(server.url("/bomb"));
  REQUIRE(bytes_come(daemon, id));

  const Steady before = system_clock().steady();
  CHECK(daemon.stop() == 0);
  CHECK(is_within(system_clock().steady() - before, 10s));
  Sql store{daemon.data() / "haul.db"};
  CHECK(store.ask("SELECT state, attempt FROM jobs") == "PENDING|0");
  CHECK(store.ask("SELECT count(*) FROM items WHERE state = 'FAILED'") == "0");
}

TEST_CASE("S2-27: killed in the middle of a file it goes on at once, under the same job") {
  const FaultServer server;
  Daemon daemon;
  const std::string id = daemon.add(server.url("/f/big?size=6000000&limit_rate=2000000"));
  REQUIRE(bytes_come(daemon, id));
  daemon.kill();
  daemon.start();
  // The daemon rescues the job before it serves requests, and does not wait until the lease of the
  // killed process runs out.
  CHECK(daemon.get("/api/v1/jobs/" + id + "/events").body().find("\"on\":\"lost\"") !=
        std::string::npos);
  CHECK(daemon.comes_to(id, "COMPLETED"));
  CHECK(content_of(daemon.downloads() / "big") == FaultServer::content("big", 6'000'000));
  CHECK(daemon.get("/metrics").body().find("\nhaul_rescues_total 1\n") != std::string::npos);
  CHECK(daemon.stop() == 0);
  Sql store{daemon.data() / "haul.db"};
  const std::vector<std::string> broken = broken_invariants(store);
  CHECK(broken.empty());
}

TEST_CASE("what haul counts can be read by a monitoring program") {
  const FaultServer server;
  Daemon daemon;
  CHECK(daemon.comes_to(daemon.add(server.url("/f/a.bin?size=1000")), "COMPLETED"));
  CHECK(daemon.comes_to(daemon.add(server.url("/f/b.bin?status=404")), "COMPLETED"));
  const RawReply reply = daemon.get("/metrics");
  const std::string text{reply.body()};
  for (const char* line : {
           R"(haul_jobs{lifecycle="batch",state="COMPLETED"} 2)",
           R"(haul_moves_total{lifecycle="batch",from="PENDING",to="RUNNING"} 2)",
           R"(haul_moves_total{lifecycle="batch",from="RUNNING",to="COMPLETED"} 2)",
           R"(haul_faults_total{reason="http_404"} 1)",
           "haul_bytes_total 1000",
           "haul_rescues_total 0",
           "haul_queue_age_seconds 0",
       }) {
    CAPTURE(line);
    CHECK(text.find("\n" + std::string{line} + "\n") != std::string::npos);
  }
  for (const char* family :
       {"haul_jobs gauge", "haul_moves_total counter", "haul_rescues_total counter",
        "haul_queue_age_seconds gauge", "haul_bytes_total counter", "haul_faults_total counter",
        "haul_api_seconds histogram", "haul_commit_seconds histogram",
        "haul_commit_commands histogram", "haul_log_pages gauge"}) {
    CAPTURE(family);
    CHECK(text.find("# TYPE " + std::string{family} + "\n") != std::string::npos);
  }
  CHECK(text.find("haul_commit_seconds_count 0\n") == std::string::npos);
}

TEST_CASE(
    "promise 15: a cancel over the API stops the transfer, its part is gone (proof: within 2 s)" *
    doctest::test_suite("proof alone")) {
  const FaultServer server;
  Daemon daemon;
  const std::string id = daemon.add(server.url("/f/big?size=60000000&limit_rate=1000000"));
  REQUIRE(bytes_come(daemon, id));
  const Steady before = system_clock().steady();
  const int status = daemon.post("/api/v1/jobs/" + id + "/cancel").status();
  CHECK((status == 200 || status == 202));
  CHECK(daemon.comes_to(id, "CANCELLED"));
  CHECK(is_within(system_clock().steady() - before, 2s));
  CHECK(std::filesystem::is_empty(daemon.downloads()));
}

TEST_CASE("paused in a file it asks for nothing; resumed it goes on by range (proof: within 2 s)" *
          doctest::test_suite("proof alone")) {
  const FaultServer server;
  Daemon daemon;
  const std::string id = daemon.add(server.url("/f/big?size=6000000&limit_rate=1000000"));
  REQUIRE(bytes_come(daemon, id));
  const Steady before = system_clock().steady();
  const std::string path = "/api/v1/jobs/" + id;
  const int status = daemon.post(path + "/pause").status();
  CHECK((status == 200 || status == 202));
  for (int i = 0; i < 1'500 && member_of(daemon.job(id), "paused") != "true"; ++i) let_pass(10ms);
  CHECK(is_within(system_clock().steady() - before, 2s));
  CHECK(member_of(daemon.job(id), "paused") == "true");
  CHECK(member_of(daemon.job(id), "state") == "PENDING");
  CHECK(member_of(daemon.job(id), "attempt") == "0");
  CHECK(member_of(daemon.get(path + "/why").body(), "code") == "paused");

  const std::size_t asked = server.log().size();
  work_goes_on(daemon);
  CHECK(server.log().size() == asked);
  daemon.kill();  // The pause is in the store, so it survives.
  daemon.start();
  work_goes_on(daemon);
  CHECK(server.log().size() == asked);
  const std::string kept = member_of(daemon.job(id), "progress");  // From the store.
  CHECK(std::stoll("0" + member_of(kept, "have")) > 0);
  CHECK(member_of(kept, "size") == "6000000");
  CHECK(member_of(kept, "resting") == "true");

  CHECK(daemon.post(path + "/resume").status() == 200);
  CHECK(daemon.comes_to(id, "COMPLETED"));
  CHECK(content_of(daemon.downloads() / "big") == FaultServer::content("big", 6'000'000));
  CHECK(server.log().back().status == 206);
}

TEST_CASE("promise 15: cancelled while it is paused, its part goes too") {
  const FaultServer server;
  Daemon daemon;
  const std::string id = daemon.add(server.url("/f/big?size=60000000&limit_rate=1000000"));
  REQUIRE(bytes_come(daemon, id));
  daemon.post("/api/v1/jobs/" + id + "/pause");
  for (int i = 0; i < 1'500 && member_of(daemon.job(id), "paused") != "true"; ++i) let_pass(10ms);
  CHECK_FALSE(std::filesystem::is_empty(daemon.downloads()));
  CHECK(daemon.post("/api/v1/jobs/" + id + "/cancel").status() == 200);
  for (int i = 0; i < 1'500 && !std::filesystem::is_empty(daemon.downloads()); ++i) let_pass(10ms);
  CHECK(std::filesystem::is_empty(daemon.downloads()));
}

TEST_CASE("what could be read in two ways never becomes a request") {
  const Daemon daemon;
  const auto status_of = [&](const std::string& bytes) {
    const RawConnection connection{"127.0.0.1", daemon.port()};
    connection.send(bytes);
    return connection.read().status();
  };
  CHECK(status_of("GET /ping HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n") == 200);
  CHECK(status_of("GET /ping HTTP/1.1\r\nHost: localhost\r\nHost: evil\r\n\r\n") == 400);
  CHECK(status_of("GET /ping HTTP/1.1\r\n\r\n") == 400);
  CHECK(status_of("GET /ping HTTP/1.1\r\nHost: localhost\r\nX: a\r\n b\r\n\r\n") == 400);
  CHECK(status_of("GET /ping%00 HTTP/1.1\r\nHost: localhost\r\n\r\n") == 400);
  CHECK(status_of("GET /../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n") == 400);
  CHECK(status_of(
            "POST /api/v1/login HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip\r\n\r\n") ==
        501);
  CHECK(status_of(
            "POST /api/v1/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999\r\n\r\n") ==
        413);
  CHECK(status_of("GET /" + std::string(20'000, 'a') + " HTTP/1.1\r\nHost: localhost\r\n\r\n") ==
        431);
  CHECK(status_of("GET /ping HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n") == 421);
  CHECK(daemon.get("/health/ready").status() == 200);
}

TEST_CASE("two requests that come at once on one connection are answered in turn") {
  const Daemon daemon;
  const RawConnection connection{"127.0.0.1", daemon.port()};
  const std::string ping = "GET /ping HTTP/1.1\r\nHost: localhost\r\n\r\n";
  connection.send(ping + ping);
  CHECK(connection.read_answer().body() == "pong\n");
  CHECK(connection.read_answer().body() == "pong\n");
}

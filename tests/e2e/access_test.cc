// Keys, logins and bodies against the real daemon.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <deque>
#include <fstream>

#include "support/daemon.h"
#include "support/memory.h"

using namespace haul;
using namespace haul::testing;

namespace {}  // namespace

TEST_CASE("a revoked key's event stream is closed") {
  const Daemon daemon;
  const RawReply made = daemon.post("/api/v1/keys", R"({"name":"page","scopes":["read"]})");
  REQUIRE(made.status() == 201);
  const RawConnection listener{"127.0.0.1", daemon.port()};
  listener.send(
      fmt::format("GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: {}\r\n\r\n",
                  member_of(made.body(), "key")));
  REQUIRE(listener.read_body(0).status() == 200);

  const std::string path = "/api/v1/keys/" + member_of(made.body(), "id");
  REQUIRE(daemon.ask("DELETE", path).status() == 204);

  CHECK(listener.read().end == RawReply::End::closed);
}

TEST_CASE("a hundred logins at once use the memory of two, and each is answered") {
  constexpr int kLogins = 100;
  const Daemon daemon;
  const long before = peak_kib(daemon.pid());
  std::deque<RawConnection> clients;
  for (int i = 0; i < kLogins; ++i) clients.emplace_back("127.0.0.1", daemon.port());
  for (int i = 0; i < kLogins; ++i) {
    const std::string body = fmt::format(R"({{"name":"n{}","password":"x"}})", i);
    clients[static_cast<std::size_t>(i)].send(
        fmt::format("POST /api/v1/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
                    "application/json\r\nContent-Length: {}\r\n\r\n{}",
                    body.size(), body));
  }
  int unknown = 0;
  int later = 0;
  for (const RawConnection& client : clients) {
    const RawReply reply = client.read_answer();
    unknown += reply.status() == 401 ? 1 : 0;
    later += reply.status() == 429 || reply.status() == 503 ? 1 : 0;
    if (reply.status() != 401) CHECK_FALSE(reply.header("Retry-After").empty());
  }
  CHECK(unknown + later == kLogins);
  CHECK(unknown > 0);
  CHECK(later > 0);
  // One hash takes 19 MiB.
  if (kMeasuresMemory) CHECK(peak_kib(daemon.pid()) - before < 64 * 1024);
}

TEST_CASE("bodies of strangers are not read into memory") {
  constexpr int kStrangers = 30;
  const Daemon daemon;
  const long before = peak_kib(daemon.pid());
  std::deque<RawConnection> clients;
  for (int i = 0; i < kStrangers; ++i)
    clients.emplace_back("127.0.0.1", daemon.port())
        .send(
            "POST /api/v1/jobs/batch HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
            "application/json\r\nContent-Length: 16000000\r\n\r\n" +
            std::string(100'000, 'x'));
  for (const RawConnection& client : clients) CHECK(client.read().status() == 401);
  if (kMeasuresMemory) CHECK(peak_kib(daemon.pid()) - before < 32 * 1024);
}

TEST_CASE("a daemon whose user 1 was blocked in its database starts, and its new key opens") {
  Daemon daemon;
  const std::string old_key = daemon.key();
  CHECK(daemon.stop() == 0);
  REQUIRE(run_program({"sqlite3", (daemon.data() / "haul.db").string(),
                       "INSERT INTO users (name, status, role, created_at) VALUES ('boss', "
                       "'ACTIVE', 'admin', 1); UPDATE users SET status = 'BLOCKED' WHERE id = 1"})
              .code == 0);

  daemon.start();

  CHECK(daemon.key() != old_key);
  CHECK(daemon.get("/api/v1/me").status() == 200);
}

TEST_CASE("an unusable trusted_proxies stops the start and names the value") {
  const TempFolder folder;
  const Finished done =
      run_program({"env", "HAUL__SERVER__TRUSTED_PROXIES=10.0.0.0/8,banana", HAUL_BINARY, "serve",
                   "--data", folder.path().string(), "--listen", "127.0.0.1:0"});
  CHECK(done.code == 2);
  CHECK(done.err.find("server.trusted_proxies[1]: \"banana\"") != std::string::npos);
}

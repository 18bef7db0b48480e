// What holds back the batches of a real daemon, made from outside: servers that misbehave, hosts
// without a free place, disks, users. Each is named by `why`, by `haul why` and on the page. The
// files troubles_*_test.cc beside this one do the same for clients, media servers and services.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <filesystem>
#include <list>

#include "base/host.h"
#include "support/io/small_disk.h"
#include "support/process/held_thread.h"
#include "support/process/told_trouble.h"
#include "support/server/fault_server.h"
#include "support/server/free_port.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

constexpr Millis kEnvironmentWait = 30s;  // After it haul looks at a full disk again.
constexpr const char* kSmall = "/f/small.bin?size=10";
constexpr const char* kSlow = "/f/slow.bin?size=60000000&limit_rate=2000";

// Servers on addresses of their own, so that the limits of hosts count each by itself.
class Hosts {
 public:
  std::string fresh(const std::string& path) {
    const FaultServer& server = all_.emplace_back(fmt::format("127.0.0.{}", 10 + all_.size()));
    return server.url(path);
  }

 private:
  std::list<FaultServer> all_;
};

std::string on_host_of(const std::string& url, const std::string& path) {
  return url.substr(0, url.find('/', url.find("//") + 2)) + path;
}

// A host whose only place a job uses.
void check_full_host(const Daemon& daemon, Hosts& hosts) {
  const std::string at = hosts.fresh(kSmall);
  const std::string first = add_batch(daemon, {at, on_host_of(at, kSlow)});
  check_told(daemon, first, {.code = "transferring", .because = "the last is slow.bin"});

  const std::string second = add_batch(daemon, {on_host_of(at, "/f/b.bin")});
  check_told(daemon, second,
             {.code = "host_busy", .because = "1 job runs at its host", .holders = {first}});

  const std::string third =
      add_batch(daemon, {hosts.fresh(kSmall), on_host_of(at, "/f/c.bin?size=5")});
  check_told(
      daemon, third,
      {.code = "waiting_for_host",
       .because = fmt::format("items wait for host {}, which serves 1 of 1 requests", host_of(at)),
       .holders = {first}});
}

// Answers after which haul tries again, and one after which it does not.
void check_answers(const Daemon& daemon, Hosts& hosts) {
  const std::string busy = add_batch(daemon, {hosts.fresh("/f/a.bin?status=503")});
  check_told(daemon, busy,
             {.code = "backoff",
              .because = "1 item waits for another try (http_503)",
              .next_within = kEnvironmentWait});

  const std::string broken = add_batch(daemon, {hosts.fresh("/f/a.bin?reset_after=head")});
  check_told(daemon, broken,
             {.code = "backoff",
              .because = "1 item waits for another try (connection_lost)",
              .next_within = kEnvironmentWait});

  const std::string both =
      add_batch(daemon, {hosts.fresh("/f/a.bin?status=503"), hosts.fresh(kSlow)});
  check_told(daemon, both,
             {.code = "transferring",
              .because = "1 item waits for another try (http_503)",
              .next_within = kEnvironmentWait});

  const std::string limited =
      add_batch(daemon, {hosts.fresh("/f/a.bin?status=429&retry_after=60")});
  check_told(daemon, limited,
             {.code = "host_blocked", .because = "asked haul to wait", .next_within = 60s});

  const std::string gone = add_batch(daemon, {hosts.fresh("/f/a.bin?status=404")});
  check_told(daemon, gone, {.code = "nothing_arrived", .because = "1 of 1 items failed"});
}

void check_no_server(const Daemon& daemon) {
  const std::string dead =
      add_batch(daemon, {fmt::format("http://127.0.0.9:{}/a.bin", free_port())});
  check_told(daemon, dead,
             {.code = "backoff",
              .because = "1 item waits for another try (cannot_connect)",
              .next_within = kEnvironmentWait});

  // The kernel answers a connection to a broadcast address as it does without a network.
  const std::string cut_off = add_batch(daemon, {"http://127.255.255.255/a.bin"});
  check_told(daemon, cut_off,
             {.code = "network_down",
              .because = "this machine has no network",
              .next_within = kEnvironmentWait});
}

void pause(const Daemon& daemon, const std::string& id, int status) {
  CHECK(daemon.post("/api/v1/jobs/" + id + "/pause").status() == status);
}

}  // namespace

TEST_CASE("each trouble with a server and its host is named: why, haul why, the page") {
  Hosts hosts;
  const Daemon daemon{std::vector<std::string>{"HAUL__TRANSFER__PER_HOST=1"}};
  const Daemon slow{std::vector<std::string>{"HAUL__TRANSFER__SPEED_LIMIT=64K"}};
  // Needs 30 s of silence, so it begins first.
  const std::string silent = add_batch(daemon, {hosts.fresh("/f/silent.bin?stall_after=head")});
  const std::string limited = add_batch(slow, {hosts.fresh("/f/big.bin?size=60000000")});

  check_full_host(daemon, hosts);
  check_answers(daemon, hosts);
  check_no_server(daemon);
  check_told(slow, limited,
             {.code = "speed_limited", .because = "the speed limit of 65536 bytes per second"});
  check_told(daemon, silent,
             {.code = "slow_item", .because = "silent.bin has received no byte for"});
}

TEST_CASE("each trouble with the disk of downloads is named: why, haul why, the page") {
  const TempFolder home;
  const SmallDisk disk{home / "out"};
  if (!disk.is_there()) return;
  Hosts hosts;
  const Daemon daemon{
      home / "data", true, {fmt::format("HAUL__TRANSFER__FOLDER={}", (home / "out").string())}};

  const std::string full = add_batch(daemon, {hosts.fresh("/f/a.bin?size=3000000")});
  check_told(daemon, full,
             {.code = "disk_full",
              .because = "the disk that its files go to is full",
              .next_within = kEnvironmentWait});

  const std::string gone = add_batch(daemon, {hosts.fresh("/f/b.bin?size=400000&limit_rate=50000")},
                                     R"(,"folder":"sub")");
  REQUIRE(
      comes_true([&] { return fs::exists(home / "out/sub") && !fs::is_empty(home / "out/sub"); }));
  fs::remove_all(home / "out/sub");
  check_told(daemon, gone,
             {.code = "folder_gone",
              .because = "the folder that its files go to is gone",
              .next_within = kEnvironmentWait});

  REQUIRE(comes_true([&] { return disk.change(SmallDisk::Writing::refused, "size=1m"); }));
  const std::string read_only = add_batch(daemon, {hosts.fresh("/f/c.bin?size=10")});
  check_told(
      daemon, read_only,
      {.code = "read_only_disk", .because = "is read-only", .next_within = kEnvironmentWait});
}

TEST_CASE("what a user asked for, and a worker that is silent, are named: why, haul why, page") {
  Hosts hosts;
  // Its worker beats every 500 ms, so after a second it is silent.
  const Daemon daemon{std::vector<std::string>{"HAUL__RELAY__HEARTBEAT=500ms"}};
  const std::string later = member_of(
      daemon
          .post("/api/v1/jobs", fmt::format(R"({{"lifecycle":"batch","request":{{"url":"{}"}},)"
                                            R"("not_before":"2h"}})",
                                            hosts.fresh(kSmall)))
          .body(),
      "id");
  check_told(daemon, later,
             {.code = "scheduled", .because = "as its user asked", .next_within = 2h});
  pause(daemon, later, 200);
  check_told(daemon, later, {.code = "paused", .because = "a user paused it"});

  const std::string running = add_batch(daemon, {hosts.fresh(kSlow)});
  const std::string to_pause = add_batch(daemon, {hosts.fresh(kSlow)});
  const std::string to_cancel = add_batch(daemon, {hosts.fresh(kSlow)});
  for (const std::string& id : {running, to_pause, to_cancel})
    REQUIRE(comes_true([&] { return member_of(daemon.job(id), "progress") != "null"; }));
  {
    const HeldThread worker{daemon.pid()};  // The worker's thread is the main one.
    pause(daemon, to_pause, 202);
    CHECK(daemon.post("/api/v1/jobs/" + to_cancel + "/cancel").status() == 202);
    check_told(daemon, to_pause,
               {.code = "pause_asked", .because = "its worker must stop its work first"});
    check_told(daemon, to_cancel,
               {.code = "cancel_asked", .because = "its worker must stop the transfers first"});
    check_told(daemon, running,
               {.code = "worker_silent",
                .because = "its worker sent no heartbeat for",
                .next_within = 60s});
  }
  check_told(daemon, to_pause, {.code = "paused", .because = "a user paused it"});
  CHECK(daemon.comes_to(to_cancel, "CANCELLED"));
  check_told(daemon, running, {.code = "transferring", .because = "the last is slow.bin"});
}

TEST_CASE("a client that is not configured and a restored store are named: why, haul why, page") {
  const TempFolder backups;
  const std::string copy = (backups / "copy.db").string();
  Daemon daemon{std::vector<std::string>{
      fmt::format("HAUL__ENGINE__QBITTORRENT__URL=http://127.0.0.1:{}", free_port())}};
  const RawReply added = daemon.post(
      "/api/v1/jobs", R"({"lifecycle":"book","request":{"book_id":"b1","title":"Emma",)"
                      R"("media_type":"text","uri":"magnet:?xt=urn:btih:)" +
                          std::string(40, 'a') +
                          R"(","source":"tracker","source_url":"https://t.example/1"}})");
  REQUIRE_MESSAGE(added.status() == 201, added.bytes);
  const std::string id = member_of(added.body(), "id");

  daemon.stop();
  daemon.set("HAUL__ENGINE__QBITTORRENT__URL=");
  daemon.start();
  check_told(daemon, id, {.code = "not_configured", .because = "configure engine.qbittorrent.url"});

  daemon.stop();
  REQUIRE(run_program({HAUL_BINARY, "backup", copy, "--data", daemon.data().string()}).code == 0);
  REQUIRE(run_program({HAUL_BINARY, "restore", copy, "--data", daemon.data().string()}).code == 0);
  daemon.start();
  check_told(daemon, id, {.code = "restored", .because = "the store was restored from a backup"});
}

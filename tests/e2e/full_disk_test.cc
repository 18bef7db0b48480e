// F25: the real daemon on a disk that fills up. It stays up, answers, and continues when there is
// room again.

#include <doctest/doctest.h>
#include <fmt/core.h>
#include <sys/resource.h>

#include <fstream>
#include <string>

#include "support/io/small_disk.h"
#include "support/process/daemon.h"
#include "support/process/process.h"
#include "support/server/fault_server.h"

using namespace haul;
using namespace haul::testing;
namespace fs = std::filesystem;

namespace {

// Fills the disk.
void fill(const fs::path& file) {
  std::ofstream out{file, std::ios::binary};
  const std::string block(4'096, 'x');
  while (out.write(block.data(), static_cast<std::streamsize>(block.size())).flush()) {
  }
}

// Adds jobs for later until the daemon takes no more: its log has some room that is its own.
int status_when_full(const Daemon& daemon) {
  int status = 201;
  for (int i = 0; i < 500 && status == 201; ++i)
    status = daemon
                 .post("/api/v1/jobs",
                       R"({"lifecycle":"batch","request":{"url":"http://h/b"},"not_before":"2h"})")
                 .status();
  return status;
}

void limit_files(pid_t pid, rlim_t bytes) {
  rlimit limit{};
  REQUIRE(::prlimit(pid, RLIMIT_FSIZE, nullptr, &limit) == 0);
  limit.rlim_cur = bytes;
  REQUIRE(::prlimit(pid, RLIMIT_FSIZE, &limit, nullptr) == 0);
}

}  // namespace

TEST_CASE("F25: a full disk, and starts on it, kill no daemon and cost no attempt") {
  const FaultServer server;
  const TempFolder home;
  const SmallDisk disk{home / "data", "size=16m"};
  if (!disk.is_there()) return;
  Daemon daemon{
      home / "data", true, {fmt::format("HAUL__TRANSFER__FOLDER={}", (home / "out").string())}};
  const std::string id = daemon.add(server.url("/f/a.bin?size=300000&limit_rate=30000"));
  REQUIRE(daemon.comes_to(id, "RUNNING"));

  fill(home / "data" / "filler");
  CHECK(status_when_full(daemon) == 507);
  CHECK(daemon.comes_to_be_ready(503));
  CHECK(daemon.get("/health/ready").body().find("disk_full") != std::string::npos);
  CHECK(has_logged(R"("level":"error","event":"store_outage","reason":"disk_full")"));
  CHECK(member_of(daemon.job(id), "state") == "RUNNING");
  CHECK(status_when_full(daemon) == 507);

  for (int i = 0; i < 3; ++i) {
    daemon.kill();
    daemon.start();
    CHECK(daemon.comes_to_be_ready(503));
    CHECK(member_of(daemon.job(id), "state") == "RUNNING");
  }
  CHECK(daemon.stop() == 0);
  daemon.start();
  CHECK(daemon.comes_to_be_ready(503));

  fs::remove(home / "data" / "filler");
  CHECK(daemon.comes_to_be_ready(200));
  CHECK(has_logged(R"("level":"info","event":"store_well")"));
  CHECK(daemon.comes_to(id, "COMPLETED"));
  CHECK(member_of(daemon.job(id), "attempt") == "0");
  CHECK(daemon.stop() == 0);
}

TEST_CASE("F25: a limit on what may be written is a full disk too, on any file system") {
  Daemon daemon;
  REQUIRE(daemon.comes_to_be_ready(200));

  limit_files(daemon.pid(), 0);
  CHECK(daemon.comes_to_be_ready(503));
  CHECK(daemon.get("/api/v1/jobs").status() == 200);

  limit_files(daemon.pid(), RLIM_INFINITY);
  CHECK(daemon.comes_to_be_ready(200));
  CHECK(daemon.stop() == 0);
}

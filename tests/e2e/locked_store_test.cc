// F25: the real daemon while another process has locked its database. It stays up, reports the
// outage, and continues when the lock is gone.

#include <doctest/doctest.h>

#include <filesystem>
#include <future>
#include <string>

#include "store/sqlite/db.h"
#include "support/process/daemon.h"
#include "support/process/process.h"
#include "support/run/moment.h"
#include "support/server/fault_server.h"

using namespace haul;
using namespace haul::testing;

namespace {

// A connection of the test's own process, which is not the daemon's.
class OtherProcess {
 public:
  explicit OtherProcess(const Daemon& daemon)
      : db_{daemon.data() / "haul.db", sqlite::OpenFor::writing} {
    db_.script("PRAGMA busy_timeout = 10000");  // The daemon may be writing at this moment.
  }
  void lock() { db_.script("BEGIN EXCLUSIVE"); }
  void unlock() { db_.script("ROLLBACK"); }

 private:
  sqlite::Connection db_;
};

}  // namespace

TEST_CASE("F25: a locked database ends no daemon, and the job arrives once the lock is gone") {
  const FaultServer server;
  Daemon daemon;
  const std::string id = daemon.add(server.url("/f/a.bin?size=300000&limit_rate=60000"));
  REQUIRE(daemon.comes_to(id, "RUNNING"));
  OtherProcess other{daemon};

  other.lock();
  CHECK(daemon.comes_to_be_ready(503));
  CHECK(daemon.get("/health/ready").body().find("store_busy") != std::string::npos);
  CHECK(has_logged(R"("level":"error","event":"store_outage","reason":"store_busy")"));
  CHECK(member_of(daemon.job(id), "state") == "RUNNING");

  other.unlock();
  CHECK(daemon.comes_to_be_ready(200));
  CHECK(has_logged(R"("level":"info","event":"store_well")"));
  CHECK(daemon.comes_to(id, "COMPLETED"));
  CHECK(member_of(daemon.job(id), "attempt") == "0");
  CHECK(std::filesystem::file_size(daemon.downloads() / "a.bin") == 300'000);
  CHECK(daemon.stop() == 0);
}

TEST_CASE("F25: a start that finds the database locked reports it and waits for the lock") {
  Daemon daemon;
  REQUIRE(daemon.stop() == 0);
  OtherProcess other{daemon};
  other.lock();

  auto started = std::async(std::launch::async, [&] { daemon.start(); });
  CHECK(comes_true([] { return has_logged(R"("level":"error","event":"store_outage")"); }));
  other.unlock();

  CHECK_NOTHROW(started.get());
  CHECK(daemon.comes_to_be_ready(200));
  CHECK(daemon.stop() == 0);
}

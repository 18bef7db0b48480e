// Who owns which parts: a daemon and `haul get` may use the same folder.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <fstream>

#include "base/mutex.h"
#include "engine/http/http.h"
#include "support/io/open_gate.h"
#include "support/process/get_bench.h"
#include "support/server/fault_server.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

// Waits until a transfer has failed.
class Ended final : public Inbox {
 public:
  void push(Sight sight) override {
    const Lock lock{mutex_};
    failed_ = failed_ || std::holds_alternative<Failed>(sight.what);
    came_.notify_all();
  }
  bool wait() {
    const Lock lock{mutex_};
    return came_.wait_for(mutex_, 10'000ms, [this]() REQUIRES(mutex_) { return failed_; });
  }

 private:
  Mutex mutex_;
  Condition came_;
  bool failed_ GUARDED_BY(mutex_) = false;
};

void write(const fs::path& path) { std::ofstream{path} << "x"; }

}  // namespace

TEST_CASE("F03: haul get removes parts of its own ended jobs, and no others") {
  const FaultServer server;
  GetBench b;
  // Parts of a daemon's first job, without and with the id of the daemon's store in their names.
  b.put("x.bin.haul-1-1-1.part", "without");
  b.put("y.bin.haul-ffffffffffff-1-1-1.part", "with");
  const fs::path staging = b.folder() / ".haul-ffffffffffff-1-1-1-1.staging";
  fs::create_directories(staging / "work");

  REQUIRE(b.get({server.url("/f/a.bin")}).code == 0);
  const std::string id = b.ask("SELECT value FROM meta WHERE name = 'store_id'");
  REQUIRE(b.ask("SELECT group_concat(id || state) FROM jobs") == "1COMPLETED");
  const std::string own = fmt::format("z.bin.haul-{}-1-1-1.part", id);
  b.put(own, "own");
  REQUIRE(b.get({server.url("/f/b.bin")}).code == 0);

  CHECK_FALSE(fs::exists(b.folder() / own));
  CHECK(b.content("x.bin.haul-1-1-1.part") == "without");
  CHECK(b.content("y.bin.haul-ffffffffffff-1-1-1.part") == "with");
  CHECK(fs::is_directory(staging / "work"));
}

TEST_CASE("F03: a new holder of a job removes earlier parts of its own store's job only") {
  const FaultServer server;
  const TempFolder folder;
  OpenGate gate;
  Ended ended;
  const auto loop = io::make_http_loop(system_clock());
  const auto engine = http::make_http_engine(*loop, gate, system_clock(), {}, io::Durability::off);
  for (const char* store : {"a1b2c3d4e5f6", "ffffffffffff"})
    write(folder / fmt::format("a.bin.haul-{}-1-1-1.part", store));
  write(folder / "a.bin.haul-1-1-1.part");
  Order order{.store = "a1b2c3d4e5f6", .job = JobId{1}, .item = 1, .fence = 2, .start = 1};
  order.url = server.url("/f/a.bin?status=404");
  order.request =
      fmt::format(R"({{"urls":["{}"],"folder":"{}"}})", order.url, folder.path().string());

  engine->start(order, ended);
  REQUIRE(ended.wait());

  CHECK_FALSE(fs::exists(folder / "a.bin.haul-a1b2c3d4e5f6-1-1-1.part"));
  CHECK(fs::exists(folder / "a.bin.haul-ffffffffffff-1-1-1.part"));
  CHECK(fs::exists(folder / "a.bin.haul-1-1-1.part"));
}

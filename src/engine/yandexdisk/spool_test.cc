// Reads that keep the whole file in the spool before the chat gets its first byte.

#include <doctest/doctest.h>

#include "engine/yandexdisk/read.h"
#include "support/io/temp_folder.h"
#include "support/server/disk_bench.h"

namespace haul::testing {
namespace {

constexpr std::int64_t kSize = 3'000'000;

struct SpoolDisk {
  explicit SpoolDisk(std::int64_t max_bytes = kSize) {
    disk.put("disk:/a.bin", {.bytes = bytes});
    settings = settings_for(disk);
    settings.spool =
        io::SpoolSettings{.folder = folder.path(), .max_bytes = max_bytes, .store = "a1b2c3d4e5f6"};
    settings.on_spool = [this](std::int64_t used) {
      const Lock lock{mutex};
      most = std::max(most, used);
      last = used;
    };
    b.emplace(keeper, settings);
  }
  static Order order() {
    Order order = DiskBench::order(1);
    order.checkpoint = yandexdisk::kWholeFirst;
    return order;
  }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator{folder.path()}, {}));
  }
  std::int64_t most_used() {
    const Lock lock{mutex};
    CHECK(last == 0);
    return most;
  }

  const std::string bytes = std::string(kSize - 1, 'x') + "y";
  TempFolder folder;
  FakeYandex disk;
  MemoryKeeper keeper;
  yandexdisk::DiskSettings settings;
  Mutex mutex;
  std::int64_t most GUARDED_BY(mutex) = 0;
  std::int64_t last GUARDED_BY(mutex) = 0;
  std::optional<DiskBench> b;
};

}  // namespace

TEST_CASE("S3-15: a file that is read whole first arrives from the spool, which is empty then") {
  SpoolDisk s;
  const auto got = s.b->read(SpoolDisk::order());
  CHECK(got.end == "whole");
  CHECK((got.bytes == s.bytes));
  CHECK(s.b->end_of(SpoolDisk::order()) == "finished");
  CHECK(s.files() == 0);
  CHECK(s.most_used() == kSize);
}

TEST_CASE("S3-15, S3-16: a file that breaks off or is wrong in the spool reaches no chat") {
  for (const bool breaks : {true, false}) {
    CAPTURE(breaks);
    SpoolDisk s;
    s.disk.act(DiskRoute::storage,
               breaks ? FakeDiskAct{.reset_after = kSize / 2} : FakeDiskAct{.flip = kSize / 2});
    const auto got = s.b->read(SpoolDisk::order());
    CHECK(got.end == "none");
    CHECK(s.b->end_of(SpoolDisk::order()) ==
          (breaks ? "retryable connection_lost" : "permanent checksum_mismatch"));
    CHECK_FALSE(s.b->told<Moving>(SpoolDisk::order()));
    CHECK(s.files() == 0);
    CHECK(s.most_used() == kSize);
  }
}

TEST_CASE("S3-15: a file that does not fit into the spool is streamed, and so is every first try") {
  SpoolDisk full{kSize - 1};
  CHECK(full.b->read(SpoolDisk::order()).end == "whole");
  CHECK(full.most_used() == 0);

  SpoolDisk first;
  CHECK(first.b->read(DiskBench::order(1)).end == "whole");
  CHECK(first.most_used() == 0);
}

TEST_CASE("S3-15: a stopped read leaves nothing in the spool") {
  SpoolDisk s;
  s.b->start(SpoolDisk::order());
  REQUIRE(s.b->until([&] { return s.b->told<Moving>(SpoolDisk::order()).has_value(); }));
  s.b->engine().stop(SpoolDisk::order(), Leftovers::keep, s.b->sights);
  REQUIRE(s.b->until([&] { return s.b->is_over(SpoolDisk::order()); }));
  CHECK(s.files() == 0);
  CHECK(s.most_used() == kSize);
}

}  // namespace haul::testing

#include "io/file/spool.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <fstream>
#include <set>

#include "support/flow/script.h"
#include "support/io/small_disk.h"
#include "support/io/temp_folder.h"

namespace haul::io {
namespace {

constexpr const char* kStore = "a1b2c3d4e5f6";

struct SpoolScene {
  explicit SpoolScene(std::int64_t max_bytes = 100) : max{max_bytes} {}

  testing::TempFolder folder;
  testing::HandClock clock;
  DiskSpace space{KeepFree{0}};
  std::int64_t max;
  std::vector<std::int64_t> used{};

  Spool open() {
    return Spool{
        {.folder = folder.path(), .max_bytes = max, .ttl = Millis{60'000}, .store = kStore},
        space,
        clock,
        [this](std::int64_t bytes) { used.push_back(bytes); }};
  }
  static PartOwner owner(std::int64_t job, const char* store = kStore) {
    return {.store = store, .job = JobId{job}, .item = 0, .fence = 1};
  }
  std::set<std::string> names() const {
    std::set<std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator{folder.path()})
      all.insert(entry.path().filename().string());
    return all;
  }
  // A file that was last written so long ago.
  void leave(const std::string& name, Millis ago) {
    std::ofstream{folder.path() / name} << "left";
    const std::int64_t at_s = to_unix_ms(clock.now() - ago) / 1'000;
    const timespec times[] = {{at_s, 0}, {at_s, 0}};
    REQUIRE(::utimensat(AT_FDCWD, (folder.path() / name).c_str(), times, 0) == 0);
  }
};

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span{text.data(), text.size()});
}

}  // namespace

TEST_CASE("S3-15: what is written to the spool is read back, by haul's user only, and goes") {
  SpoolScene s;
  Spool spool = s.open();
  {
    const auto file = spool.make(SpoolScene::owner(7), 10);
    REQUIRE(file);
    REQUIRE(s.names().size() == 1);
    struct stat seen{};
    REQUIRE(::stat((s.folder.path() / *s.names().begin()).c_str(), &seen) == 0);
    CHECK((seen.st_mode & 0777U) == 0600U);
    CHECK(file->append(bytes_of("hello")).has_value());
    CHECK(file->append(bytes_of("world")).has_value());
    CHECK(file->append(bytes_of("!")).error().code == "spool_full");
    std::array<std::byte, 20> read{};
    CHECK(file->read_at(read, 3) == 7U);
    CHECK(read[0] == std::byte{'l'});
  }
  CHECK(s.names().empty());
  CHECK((s.used == std::vector<std::int64_t>{10, 0}));
}

TEST_CASE("S3-15: the spool takes files up to its cap, and not one byte more") {
  SpoolScene s;
  Spool spool = s.open();
  auto first = spool.make(SpoolScene::owner(1), 60);
  REQUIRE(first);
  CHECK_FALSE(spool.make(SpoolScene::owner(2), 41));
  const auto second = spool.make(SpoolScene::owner(2), 40);
  CHECK(second);
  CHECK(spool.used() == 100);
  CHECK_FALSE(spool.make(SpoolScene::owner(3), 1));
  first.reset();
  CHECK(spool.used() == 40);
  CHECK(spool.make(SpoolScene::owner(3), 60));
}

TEST_CASE("S3-15: what a crash left is removed at the start; files of others stay") {
  SpoolScene s;
  s.leave("haul-a1b2c3d4e5f6-7-0-1-1.spool", Millis{0});
  s.leave("haul-000000000000-7-0-1-1.spool", Millis{1'000'000});
  s.leave("letter.spool", Millis{1'000'000});
  s.open();
  CHECK((s.names() == std::set<std::string>{"haul-000000000000-7-0-1-1.spool", "letter.spool"}));
}

TEST_CASE("S3-15: later a file is swept when it was not written to for longer than its TTL") {
  SpoolScene s;
  Spool spool = s.open();
  s.leave("haul-a1b2c3d4e5f6-7-0-1-1.spool", Millis{60'000});
  spool.sweep();
  CHECK(s.names().size() == 1);
  s.clock.pass(Millis{1'000});
  spool.sweep();
  CHECK(s.names().empty());
}

TEST_CASE("F25: the spool leaves what the disk must keep free") {
  const testing::TempFolder folder;
  const testing::SmallDisk disk{folder / "disk"};
  if (!disk.is_there()) return;
  const auto free = [&] {
    return static_cast<std::int64_t>(std::filesystem::space(folder / "disk").available);
  };
  const testing::HandClock clock;
  DiskSpace space{KeepFree{free() - 100}};
  Spool spool{{.folder = folder / "disk", .max_bytes = 1'000'000, .store = kStore}, space, clock};

  CHECK_FALSE(spool.make(SpoolScene::owner(1), 101));
  auto whole = spool.make(SpoolScene::owner(1), 100);
  CHECK(whole);
  CHECK_FALSE(spool.make(SpoolScene::owner(2), 1));  // The first one's bytes are reserved.
  whole.reset();
  CHECK(spool.make(SpoolScene::owner(2), 100));
  CHECK(std::filesystem::is_empty(folder / "disk"));
}

TEST_CASE("F25: a spooled file gives way when others fill what the disk must keep free") {
  const testing::TempFolder folder;
  const testing::SmallDisk disk{folder / "disk"};
  if (!disk.is_there()) return;
  testing::HandClock clock;
  const auto free = static_cast<std::int64_t>(std::filesystem::space(folder / "disk").available);
  DiskSpace space{KeepFree{free - 100}};
  Spool spool{{.folder = folder / "disk", .max_bytes = 1'000'000, .store = kStore}, space, clock};
  const auto file = spool.make(SpoolScene::owner(1), 100);
  REQUIRE(file);
  CHECK(file->append(bytes_of("hello")));

  std::ofstream{folder / "disk/of another program"} << std::string(10'000, 'x');
  clock.pass(Millis{1'000});

  CHECK(file->append(bytes_of("world")).error().code == "disk_full");
}

TEST_CASE("a spool whose folder cannot be made takes nothing") {
  SpoolScene s;
  std::ofstream{s.folder.path() / "file"} << "x";
  Spool spool{{.folder = s.folder.path() / "file" / "spool", .max_bytes = 100, .store = kStore},
              s.space,
              s.clock};
  CHECK_FALSE(spool.make(SpoolScene::owner(1), 1));
}

}  // namespace haul::io

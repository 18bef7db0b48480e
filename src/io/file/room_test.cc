// F25: haul leaves transfer.keep_free free on a disk, and the fault names the disk and the setting.

#include "io/file/room.h"

#include <doctest/doctest.h>

#include "support/io/temp_folder.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

constexpr std::int64_t kGiB = std::int64_t{1} << 30U;

std::shared_ptr<const io::Folder> open(const TempFolder& temp) {
  return std::make_shared<const io::Folder>(
      io::Folder::open(temp.path(), io::Folder::Missing::fault).value());
}

}  // namespace

TEST_CASE("F25: without a setting 1 GiB or 5 % stays free, whichever is smaller") {
  const io::KeepFree usual;
  CHECK(usual.on_disk_of(20 * kGiB) == kGiB);
  CHECK(usual.on_disk_of(20 * kGiB - 20) == kGiB - 1);
  CHECK(usual.on_disk_of(4'000 * kGiB) == kGiB);
  CHECK(usual.on_disk_of(1'000) == 50);
  CHECK(io::KeepFree{0}.on_disk_of(20 * kGiB) == 0);
  CHECK(io::KeepFree{5 * kGiB}.on_disk_of(20 * kGiB) == 5 * kGiB);
}

TEST_CASE("F25: room is what is free beyond that, and a disk that says nothing has room") {
  CHECK(io::room_on({.path = "/d", .free_bytes = 3 * kGiB, .all_bytes = 100 * kGiB}, {}) ==
        2 * kGiB);
  CHECK(io::room_on({.path = "/d", .free_bytes = kGiB / 2, .all_bytes = 100 * kGiB}, {}) ==
        -kGiB / 2);
  CHECK(io::room_on({.path = "/d"}, {}) > 1'000'000 * kGiB);
}

TEST_CASE("F25: a full disk is the environment's fault, and says disk, free space and setting") {
  const io::DiskSeen disk{.path = "/srv/films", .free_bytes = 900 << 20, .all_bytes = 100 * kGiB};
  const Fault fault =
      io::no_room(disk, {}, {.needed = 2 * kGiB, .others = 500 << 20, .missing = 2'672LL << 20U});
  CHECK(fault.kind == FaultKind::environment);
  CHECK(fault.code == "disk_full");
  CHECK(fault.detail ==
        "the disk of /srv/films has 900 MiB free; transfer.keep_free keeps 1024 MiB free, other "
        "downloads need 500 MiB, this one needs 2048 MiB: 2672 MiB are missing");
  CHECK(io::no_room(disk, {.setting = "--keep-free"}, {.missing = 1}).detail ==
        "the disk of /srv/films has 900 MiB free; --keep-free keeps 1024 MiB free");
}

TEST_CASE("F25: a real folder has room up to the edge") {
  const TempFolder temp;
  const std::shared_ptr<const io::Folder> folder = open(temp);
  const Steady now{1'000ms};

  io::DiskSpace full{io::KeepFree{folder->all_bytes() + kGiB}};
  io::Room none{full.of(folder)};
  CHECK(none.take(0, now).error().code == "disk_full");
  io::DiskSpace space{io::KeepFree{0}};
  io::Room all{space.of(folder)};
  CHECK(all.take(0, now));
  CHECK(all.take(1, now));
  CHECK(all.reserve(folder->all_bytes() + 1, now).error().code == "disk_full");
  CHECK(io::Room{io::FolderDisk{}}.reserve(1'000 * kGiB, now));  // This disk has no account.
}

TEST_CASE("F25: two folders of one disk share its room, and a share ends with its transfer") {
  const TempFolder temp;
  const TempFolder other;
  io::DiskSpace space{io::KeepFree{0}};
  const io::FolderDisk here = space.of(open(temp));
  const io::FolderDisk there = space.of(open(other));
  REQUIRE(here.disk == there.disk);
  const Steady now{1'000ms};
  const std::int64_t most = here.folder->free_bytes() / 3 * 2;

  io::Room second{there};
  {
    io::Room first{here};
    CHECK(first.reserve(most, now));
    const auto refused = second.reserve(most, now);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().detail.find("other downloads need") != std::string::npos);
    CHECK(refused.error().detail.find("are missing") != std::string::npos);
  }
  CHECK(second.reserve(most, now));
  io::Room third{here};
  CHECK_FALSE(third.reserve(most, now));
  second.release();
  CHECK(third.reserve(most, now));
}

TEST_CASE("F25: a transfer that is refused holds nothing, so another can have it") {
  const TempFolder temp;
  io::DiskSpace space{io::KeepFree{0}};
  const io::FolderDisk here = space.of(open(temp));
  const Steady now{1'000ms};
  const std::int64_t most = here.folder->free_bytes() / 3 * 2;

  io::Room first{here};
  io::Room second{here};
  REQUIRE(first.reserve(most, now));
  CHECK_FALSE(first.take(here.folder->all_bytes() * 2, now));
  CHECK(second.reserve(most, now));
}

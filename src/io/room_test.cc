// F25: haul leaves transfer.keep_free free on a disk, and the fault names the disk and the setting.

#include "io/room.h"

#include <doctest/doctest.h>

#include "support/temp_folder.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

constexpr std::int64_t kGiB = std::int64_t{1} << 30U;

}  // namespace

TEST_CASE("F25: without a setting 1 GiB or 5 % stays free, whichever is smaller") {
  const KeepFree usual;
  CHECK(usual.on_disk_of(20 * kGiB) == kGiB);
  CHECK(usual.on_disk_of(20 * kGiB - 20) == kGiB - 1);
  CHECK(usual.on_disk_of(4'000 * kGiB) == kGiB);
  CHECK(usual.on_disk_of(1'000) == 50);
  CHECK(KeepFree{0}.on_disk_of(20 * kGiB) == 0);
  CHECK(KeepFree{5 * kGiB}.on_disk_of(20 * kGiB) == 5 * kGiB);
}

TEST_CASE("F25: room is what is free beyond that, and a disk that says nothing has room") {
  CHECK(room_on({.path = "/d", .free_bytes = 3 * kGiB, .all_bytes = 100 * kGiB}, {}) == 2 * kGiB);
  CHECK(room_on({.path = "/d", .free_bytes = kGiB / 2, .all_bytes = 100 * kGiB}, {}) == -kGiB / 2);
  CHECK(room_on({.path = "/d"}, {}) > 1'000'000 * kGiB);
}

TEST_CASE("F25: a full disk is the environment's fault, and says disk, free space and setting") {
  const Fault fault = no_room(
      {.path = "/srv/films", .free_bytes = 900 << 20, .all_bytes = 100 * kGiB}, {}, 2 * kGiB);
  CHECK(fault.kind == FaultKind::environment);
  CHECK(fault.code == "disk_full");
  CHECK(fault.detail ==
        "the disk of /srv/films has 900 MiB free; 2048 MiB more are needed, and "
        "transfer.keep_free keeps 1024 MiB free");
}

TEST_CASE(
    "F25: a real folder has room up to the edge, and what was taken counts until a new look") {
  const TempFolder temp;
  auto folder = Folder::open(temp.path(), Folder::Missing::fault);
  REQUIRE(folder);
  const auto shared = std::make_shared<const Folder>(*std::move(folder));
  const Steady now{1'000ms};

  Room none{shared, KeepFree{shared->all_bytes() + kGiB}};
  CHECK(none.has(0, now).error().code == "disk_full");
  Room all{shared, KeepFree{0}};
  CHECK(all.has(0, now));
  CHECK(all.take(1, now));
  CHECK(all.has(shared->all_bytes() + 1, now).error().code == "disk_full");
}

#include "engine/imageapi/staged.h"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>

#include "support/flow/script.h"
#include "support/io/small_disk.h"
#include "support/io/temp_folder.h"

namespace haul::imageapi {
namespace {

const std::string kPng = "\x89PNG\r\n\x1a\n and more";
const std::string kJpeg = "\xff\xd8\xff and more";

Order order_of(std::int64_t job, std::int64_t fence = 1) {
  return {.store = "a1b2c3d4e5f6", .job = JobId{job}, .fence = fence};
}

// On a disk of which nothing must stay free.
struct Staging {
  explicit Staging(const std::filesystem::path& path) : in{path, space, clock} {}

  io::DiskSpace space{io::KeepFree{0}};
  testing::HandClock clock;
  const StagingFolder in;
};

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

}  // namespace

TEST_CASE("a staged image has the name of its store, job and lease, and the ending of its type") {
  const testing::TempFolder folder;
  const Staging staging{folder / "images"};

  const auto png = staging.in.keep(order_of(7, 3), kPng);
  const auto jpeg = staging.in.keep(order_of(8), kJpeg);

  REQUIRE(png);
  CHECK(png->path == folder / "images/a1b2c3d4e5f6-7-0-3-image.png");
  CHECK(png->thumbnail == folder / "images/a1b2c3d4e5f6-7-0-3-thumbnail.jpg");
  CHECK(content_of(png->path) == kPng);
  CHECK(png->size == std::ssize(kPng));
  REQUIRE(jpeg);
  CHECK(jpeg->path.filename() == "a1b2c3d4e5f6-8-0-1-image.jpg");
}

TEST_CASE("an image replaces an earlier one of the same lease, whatever its type, and no other") {
  const testing::TempFolder folder;
  const Staging staging{folder.path()};
  const auto other = staging.in.keep(order_of(7, 1), kPng);
  const auto first = staging.in.keep(order_of(7, 2), kPng);
  std::ofstream{first->thumbnail} << "old";

  const auto second = staging.in.keep(order_of(7, 2), kJpeg);

  REQUIRE(second);
  CHECK_FALSE(std::filesystem::exists(first->path));
  CHECK_FALSE(std::filesystem::exists(first->thumbnail));
  CHECK(content_of(second->path) == kJpeg);
  CHECK(content_of(other->path) == kPng);

  staging.in.remove(order_of(7, 2));
  CHECK_FALSE(std::filesystem::exists(second->path));
  CHECK(std::filesystem::exists(other->path));
}

TEST_CASE("a link that has the name is replaced, and its target is not written to") {
  const testing::TempFolder folder;
  const Staging staging{folder / "images"};
  REQUIRE(staging.in.check(1));
  std::ofstream{folder / "target"} << "mine";
  std::filesystem::create_symlink(folder / "target",
                                  folder / "images/a1b2c3d4e5f6-7-0-1-image.png");

  REQUIRE(staging.in.keep(order_of(7), kPng));

  CHECK(content_of(folder / "target") == "mine");
  CHECK(content_of(folder / "images/a1b2c3d4e5f6-7-0-1-image.png") == kPng);
}

TEST_CASE("what is no image, and a folder that cannot be used, are told apart") {
  const testing::TempFolder folder;
  CHECK(Staging{folder.path()}.in.keep(order_of(7), "<html>").error().code == "bad_image");

  std::ofstream{folder / "file"} << "x";
  const Staging bad{folder / "file"};
  CHECK(bad.in.keep(order_of(7), kPng).error().kind == FaultKind::environment);
  CHECK(bad.in.check(1).error().kind == FaultKind::environment);

  const Staging good{folder.path()};
  CHECK(good.in.check(1));
  CHECK(good.in.check(std::int64_t{1} << 60U).error().code == "disk_full");
}

TEST_CASE("F25: an image is paid for only if the disk keeps free what it must, beside all others") {
  const testing::TempFolder folder;
  const testing::SmallDisk disk{folder / "disk"};
  if (!disk.is_there()) return;
  const auto free = static_cast<std::int64_t>(std::filesystem::space(folder / "disk").available);
  const testing::HandClock clock;
  io::DiskSpace space{io::KeepFree{free - 200}};
  const StagingFolder staging{folder / "disk", space, clock};

  const auto refused = staging.check(101);  // It and its thumbnail: 202 bytes.
  auto room = staging.check(100);

  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == "disk_full");
  CHECK(refused.error().kind == FaultKind::environment);
  CHECK(refused.error().detail.find("transfer.keep_free keeps") != std::string::npos);
  CHECK(refused.error().detail.find(folder.path().string()) == std::string::npos);
  CHECK(room);
  CHECK_FALSE(staging.check(1));  // The first one's bytes are reserved.
  room->reset();
  CHECK(staging.check(100));
}

}  // namespace haul::imageapi

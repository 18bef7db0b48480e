#include "engine/imageapi/staged.h"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>

#include "support/io/temp_folder.h"

namespace haul::imageapi {
namespace {

const std::string kPng = "\x89PNG\r\n\x1a\n and more";
const std::string kJpeg = "\xff\xd8\xff and more";

Order order_of(std::int64_t job, std::int64_t fence = 1) {
  return {.store = "a1b2c3d4e5f6", .job = JobId{job}, .fence = fence};
}

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

}  // namespace

TEST_CASE("a staged image has the name of its store, job and lease, and the ending of its type") {
  const testing::TempFolder folder;
  const StagingFolder staging{folder / "images"};

  const auto png = staging.keep(order_of(7, 3), kPng);
  const auto jpeg = staging.keep(order_of(8), kJpeg);

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
  const StagingFolder staging{folder.path()};
  const auto other = staging.keep(order_of(7, 1), kPng);
  const auto first = staging.keep(order_of(7, 2), kPng);
  std::ofstream{first->thumbnail} << "old";

  const auto second = staging.keep(order_of(7, 2), kJpeg);

  REQUIRE(second);
  CHECK_FALSE(std::filesystem::exists(first->path));
  CHECK_FALSE(std::filesystem::exists(first->thumbnail));
  CHECK(content_of(second->path) == kJpeg);
  CHECK(content_of(other->path) == kPng);

  staging.remove(order_of(7, 2));
  CHECK_FALSE(std::filesystem::exists(second->path));
  CHECK(std::filesystem::exists(other->path));
}

TEST_CASE("a link that has the name is replaced, and its target is not written to") {
  const testing::TempFolder folder;
  const StagingFolder staging{folder / "images"};
  REQUIRE(staging.check(1));
  std::ofstream{folder / "target"} << "mine";
  std::filesystem::create_symlink(folder / "target",
                                  folder / "images/a1b2c3d4e5f6-7-0-1-image.png");

  REQUIRE(staging.keep(order_of(7), kPng));

  CHECK(content_of(folder / "target") == "mine");
  CHECK(content_of(folder / "images/a1b2c3d4e5f6-7-0-1-image.png") == kPng);
}

TEST_CASE("what is no image, and a folder that cannot be used, are told apart") {
  const testing::TempFolder folder;
  CHECK(StagingFolder{folder.path()}.keep(order_of(7), "<html>").error().code == "bad_image");

  std::ofstream{folder / "file"} << "x";
  const StagingFolder bad{folder / "file"};
  CHECK(bad.keep(order_of(7), kPng).error().kind == FaultKind::environment);
  CHECK(bad.check(1).error().kind == FaultKind::environment);

  const StagingFolder good{folder.path()};
  CHECK(good.check(1));
  CHECK(good.check(std::int64_t{1} << 60U).error().code == "disk_full");
}

}  // namespace haul::imageapi

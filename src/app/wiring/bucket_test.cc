#include "app/wiring/bucket.h"

#include <doctest/doctest.h>

#include "conformance/suite.h"
#include "support/flow/turned_clock.h"
#include "support/io/staged_picture.h"

namespace haul::testing {
namespace {

constexpr const char* kOriginal = "originals/a1b2c3d4e5f6/7/0.png";

bucket::S3Settings s3() {
  return {.endpoint = "https://s3.example.org",
          .bucket = "pictures",
          .access_key = "AK",
          .secret_key = "canary",
          .prefix = "haul/"};
}

}  // namespace

TEST_CASE("what the worker lands in a folder, the API reads: the image, its thumbnail, no more") {
  const TempFolder folder;
  const StagedPicture staged;
  TurnedClock clock;
  io::DiskSpace space{io::KeepFree{0}};
  const app::BucketSettings settings =
      bucket::FolderBucketSettings{.root = folder / "bucket", .store = StagedPicture::kStore};
  conformance::Sights sights;
  const auto sink = app::make_bucket(clock, space, settings);
  const auto open = app::bucket_reader(clock, settings);
  CHECK_FALSE(open(kOriginal, api::KeptForm::whole));

  sink->land(staged.parcel(), sights);
  REQUIRE(conformance::turn_until(
      clock, sights, [&] { return !sights.all().empty(); }, conformance::kPatience));

  const auto whole = open(kOriginal, api::KeptForm::whole);
  REQUIRE(whole);
  CHECK(whole->type == "image/png");
  CHECK(whole->file->size() == std::ssize(staged.bytes));
  CHECK(whole->file->read(3, 100).value() == staged.bytes.substr(3));
  CHECK(whole->file->read(whole->file->size(), 100).value().empty());
  const auto small = open(kOriginal, api::KeptForm::thumbnail);
  REQUIRE(small);
  CHECK(small->type == "image/jpeg");
  CHECK(small->file->read(0, 100).value() == staged.thumbnail);
  for (const char* path : {"thumbnails/a1b2c3d4e5f6/7/0.jpg", "/etc/passwd", "../x",
                           "originals/a1b2c3d4e5f6/7/0.png/..", "originals/7/0.png"}) {
    CAPTURE(path);
    REQUIRE_FALSE(open(path, api::KeptForm::whole));
    CHECK(open(path, api::KeptForm::whole).error().code == "no_such_object");
  }
}

TEST_CASE("A4-11: an image in S3 is a link of this moment, and the page may show its server") {
  TurnedClock clock;
  const app::BucketSettings settings = s3();
  const auto open = app::bucket_reader(clock, settings);

  const auto whole = open(kOriginal, api::KeptForm::whole);

  REQUIRE(whole);
  CHECK_FALSE(whole->file);
  CHECK(whole->link.starts_with(
      "https://s3.example.org/pictures/haul/originals/a1b2c3d4e5f6/7/0.png?"));
  CHECK(whole->link.find("X-Amz-Date=20231114T221320Z") != std::string::npos);
  CHECK(whole->link.find("canary") == std::string::npos);
  CHECK(open(kOriginal, api::KeptForm::thumbnail)->link.find("thumbnails/a1b2c3d4e5f6/7/0.jpg?") !=
        std::string::npos);
  CHECK_FALSE(open("/srv/film.mkv", api::KeptForm::whole));
  CHECK(app::bucket_origin(settings) == "https://s3.example.org");
  CHECK(app::bucket_origin(bucket::FolderBucketSettings{}).empty());
}

TEST_CASE("A4-11: a link is of the server's time, once an upload has learned it") {
  TurnedClock clock;
  const bucket::S3Settings settings = s3();
  const auto open = app::bucket_reader(clock, settings);

  settings.skew->store(std::chrono::hours{2});

  CHECK(open(kOriginal, api::KeptForm::whole)->link.find("X-Amz-Date=20231115T001320Z") !=
        std::string::npos);
}

}  // namespace haul::testing

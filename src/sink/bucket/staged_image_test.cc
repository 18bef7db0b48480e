#include "sink/bucket/staged_image.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "base/json.h"

namespace haul::bucket {
namespace {

const std::string kSha(64, 'a');
const io::PartOwner kOwner{"a1b2c3d4e5f6", JobId{7}, 0, 1};

Parcel parcel_with(std::string evidence) {
  return {.job = JobId{7},
          .fence = 1,
          .request = "{}",
          .path = "/data/images/7.png",
          .size = 9,
          .evidence = std::move(evidence)};
}

std::string evidence(const std::string& type = "png", const std::string& sha256 = kSha,
                     const std::string& thumbnail = "/data/images/7.jpg") {
  return fmt::format(R"({{"type":"{}","width":64,"height":32,"sha256":"{}","thumbnail":"{}"}})",
                     type, sha256, thumbnail);
}

}  // namespace

TEST_CASE("an image is read from the evidence of its engine") {
  const auto image = read_staged(parcel_with(evidence()));

  REQUIRE(image);
  CHECK(*image == ImageToKeep{.path = "/data/images/7.png",
                              .size = 9,
                              .type = "png",
                              .width = 64,
                              .height = 32,
                              .sha256 = kSha,
                              .thumbnail = "/data/images/7.jpg"});
  CHECK(read_staged(parcel_with(evidence("webp", kSha, "")))->thumbnail.empty());
}

TEST_CASE("evidence that does not describe an image is a permanent fault") {
  Parcel relative = parcel_with(evidence());
  relative.path = "7.png";
  Parcel empty = parcel_with(evidence());
  empty.size = 0;
  Parcel huge = parcel_with(evidence());
  huge.size = (std::int64_t{1} << 30U) + 1;
  for (const Parcel& parcel :
       {parcel_with(""), parcel_with("[]"), parcel_with("{}"), parcel_with(evidence("gif")),
        parcel_with(evidence("png", "")), parcel_with(evidence("png", std::string(63, 'a'))),
        parcel_with(evidence("png", std::string(64, 'A'))),
        parcel_with(evidence("png", kSha, "../7.jpg")), parcel_with(std::string(20'000, ' ')),
        relative, empty, huge}) {
    CAPTURE(parcel.evidence);
    const auto image = read_staged(parcel);
    REQUIRE_FALSE(image);
    CHECK(image.error().kind == FaultKind::permanent);
    CHECK(image.error().code == "bad_staged");
  }
}

TEST_CASE("S4-5: the keys of a job never change, and an original leads to its thumbnail") {
  CHECK(original_key(kOwner, "png") == "originals/a1b2c3d4e5f6/7/0.png");
  CHECK(original_key(kOwner, "jpeg") == "originals/a1b2c3d4e5f6/7/0.jpg");
  CHECK(thumbnail_key(kOwner) == "thumbnails/a1b2c3d4e5f6/7/0.jpg");
  io::PartOwner later = kOwner;
  later.fence = 2;
  CHECK(original_key(later, "png") == original_key(kOwner, "png"));
  CHECK(thumbnail_of(original_key(kOwner, "webp")) == thumbnail_key(kOwner));
  for (const char* key :
       {"", "/srv/a.png", "originals/7/0.png", "originals/a1b2c3d4e5f6/7/1.png",
        "originals/a1b2c3d4e5f6/../0.png", "originals/../7/0.png", "originals//7/0.png",
        "originals/a1b2c3d4e5f6//0.png", "originals/a1b2c3d4e5f6/7/0./a.png",
        "originals/a1b2c3d4e5f6/check/0.png", "originals/STORE/7/0.png", "originals/.png",
        "thumbnails/a1b2c3d4e5f6/7/0.jpg", "originals/a1b2c3d4e5f6/7/0.svg"}) {
    CAPTURE(key);
    CHECK(thumbnail_of(key).empty());
  }
}

TEST_CASE("S4-5: the keys of two stores differ although their jobs have the same number") {
  io::PartOwner other = kOwner;
  other.store = "ffffffffffff";

  CHECK(original_key(other, "png") != original_key(kOwner, "png"));
  CHECK(thumbnail_key(other) != thumbnail_key(kOwner));
}

TEST_CASE("the evidence of a landed image names its keys, and no path of this machine") {
  const auto image = read_staged(parcel_with(evidence()));
  REQUIRE(image);

  const std::string text = landed_evidence(*image, kOwner, "folder");

  CHECK(is_json_text(text));
  CHECK(text.find("originals/a1b2c3d4e5f6/7/0.png") != std::string::npos);
  CHECK(text.find("thumbnails/a1b2c3d4e5f6/7/0.jpg") != std::string::npos);
  CHECK(text.find("/data") == std::string::npos);
}

}  // namespace haul::bucket

#pragma once
// An image and its thumbnail in a staging folder, and the parcel that takes them to a bucket.

#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "base/hash.h"
#include "seam/sink.h"
#include "support/io/temp_folder.h"

namespace haul::testing {

struct StagedPicture {
  static constexpr const char* kStore = "a1b2c3d4e5f6";  // Whose job it is.

  explicit StagedPicture(std::string image = "an image", std::string small = "a thumbnail")
      : bytes{std::move(image)}, thumbnail{std::move(small)} {
    write(path(), bytes);
    write(thumbnail_path(), thumbnail);
  }

  static void write(const std::filesystem::path& at, const std::string& text) {
    std::ofstream{at, std::ios::binary} << text;
  }
  std::filesystem::path path() const { return folder / "7.png"; }
  std::filesystem::path thumbnail_path() const { return folder / "7.thumb.jpg"; }

  Parcel parcel(JobId job = JobId{7}, std::int64_t fence = 1) const {
    return {.job = job,
            .fence = fence,
            .request = "{}",
            .path = path().string(),
            .size = std::ssize(bytes),
            .evidence = fmt::format(
                R"({{"type":"png","width":64,"height":32,"sha256":"{}","thumbnail":"{}"}})",
                sha256_hex(bytes), thumbnail_path().string())};
  }

  TempFolder folder;
  const std::string bytes;
  const std::string thumbnail;
};

}  // namespace haul::testing

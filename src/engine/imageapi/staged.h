#pragma once
// The folder where images wait for their bucket. Its files have the names of their jobs, so that a
// later worker knows whose they are.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/fault.h"
#include "engine/imageapi/picture_type.h"
#include "io/file/room.h"
#include "seam/engine.h"

namespace haul::imageapi {

struct KeptImage {
  std::filesystem::path path;       // Absolute.
  std::filesystem::path thumbnail;  // Where one may be written. Not there yet.
  std::int64_t size = 0;
  std::string sha256;
  PictureType type = PictureType::png;
};

class StagingFolder {
 public:
  // The space and the clock outlive it.
  StagingFolder(std::filesystem::path path, io::DiskSpace& space, const Clock& clock)
      : path_{std::move(path)}, space_{space}, clock_{clock} {}

  // Reserves the room for an image of this size and its thumbnail, beside what the disk must keep
  // free. Makes the folder. An image is paid for only after this. Fault of kind environment if
  // there is no room.
  [[nodiscard]] Result<std::unique_ptr<io::Room>> check(std::int64_t size_max) const;

  // Asks for no room: an image that was paid for is kept. Writes and flushes an image, in place of
  // an earlier one of the same order. Faults: `bad_image` (retryable) if it is no PNG, JPEG or WebP
  // by its first bytes; those of the disk (environment).
  Result<KeptImage> keep(const Order& order, std::string_view bytes) const;

  // An image that an earlier start of the order's job kept and nothing has used. It may be cut off:
  // the process may have ended while it was written.
  std::optional<KeptImage> find(const Order& order, std::int64_t size_max) const;

  // Removes an image.
  void remove(const KeptImage& image) const;
  // Removes what an order has left here.
  void remove(const Order& order) const;

 private:
  const std::filesystem::path path_;
  io::DiskSpace& space_;
  const Clock& clock_;
};

}  // namespace haul::imageapi

#pragma once
// The image that an engine staged for a bucket, as its evidence describes it, and the keys under
// which a bucket keeps it.

#include <cstdint>
#include <string>
#include <string_view>

#include "base/fault.h"
#include "io/file/part_name.h"
#include "seam/sink.h"

namespace haul::bucket {

struct ImageToKeep {
  std::string path;  // Absolute.
  std::int64_t size = 0;
  std::string type;  // "png", "jpeg" or "webp".
  std::int64_t width = 0;
  std::int64_t height = 0;
  std::string sha256;
  std::string thumbnail;  // The path of its thumbnail, a JPEG. Empty if there is none.

  bool operator==(const ImageToKeep&) const = default;
};

// Fault `bad_staged` (permanent) if the evidence does not describe an image.
Result<ImageToKeep> read_staged(const Parcel& parcel);

// Keys carry the store's id, because several stores may share a bucket. A job has one image, so its
// keys are always the same: landing it again replaces it.
// "originals/a1b2c3d4e5f6/7/0.png"
std::string original_key(const io::PartOwner& owner, std::string_view type);
// "thumbnails/a1b2c3d4e5f6/7/0.jpg"
std::string thumbnail_key(const io::PartOwner& owner);

// The key of the thumbnail of an original. Empty if the key is not of an original.
std::string thumbnail_of(std::string_view original);

// "image/png" by the ending of a key. Empty if it is not one of the endings above.
std::string_view content_type(std::string_view key);

// What a bucket reports of an image that it has, JSON.
std::string landed_evidence(const ImageToKeep& image, const io::PartOwner& owner,
                            std::string_view bucket);

}  // namespace haul::bucket

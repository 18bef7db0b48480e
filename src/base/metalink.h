#pragma once
// The files that a Metalink document (RFC 5854) describes.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/piece_hashes.h"
#include "base/request_value.h"

namespace haul {

inline constexpr std::size_t kMetalinkBytesMax = std::size_t{16} << 20U;
inline constexpr std::size_t kMetalinkFilesMax = 10'000;

struct MetalinkFile {
  std::string name;  // A path below the folder.
  std::optional<std::int64_t> size{};
  Checksum checksum{};
  PieceHashes pieces{};
  std::vector<std::string> urls{};  // The preferred ones first; at least one.

  bool operator==(const MetalinkFile&) const = default;
};

struct Metalink {
  std::vector<MetalinkFile> files;
  bool is_public = false;  // It came from a public address, so its files must, too.
};

}  // namespace haul

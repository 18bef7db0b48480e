#pragma once
// The files that a Metalink document (RFC 5854) describes.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/piece_hashes.h"
#include "base/request_value.h"

namespace haul {

inline constexpr std::string_view kMetalinkType = "application/metalink4+xml";
// The code of a file that turned out to be a Metalink.
inline constexpr std::string_view kIsMetalink = "metalink";
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

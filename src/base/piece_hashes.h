#pragma once
// The hashes of a file's pieces, as a request has them. With them only a damaged piece is fetched
// again.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"

namespace haul {

inline constexpr std::size_t kPiecesMax = 65'536;       // Of one file.
inline constexpr std::int64_t kPieceLengthMin = 1'024;  // Bytes.
inline constexpr std::int64_t kPieceLengthMax = std::int64_t{1} << 40;

struct PieceHashes {
  std::string algorithm;            // sha256, sha512, sha1 or md5
  std::int64_t length = 0;          // Of each piece but the last, which may be shorter.
  std::vector<std::string> hashes;  // In the order of the file, lower case. Empty: none are known.

  bool empty() const { return hashes.empty(); }
  bool operator==(const PieceHashes&) const = default;
};

// Reads {"algorithm":"sha256","length":1048576,"hashes":["…","…"]}. A fault names the member.
Result<PieceHashes> read_piece_hashes(std::string_view json);

// What is wrong with the pieces of a file of this size. Empty: they cover it exactly.
std::string wrong_with_pieces(const PieceHashes& pieces, std::int64_t size);

}  // namespace haul

#pragma once
// Reads bencode, the format of torrent files, without building a tree. Calls a reader for each
// value.

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/fault.h"

namespace haul::qbittorrent {

// One value. Its path has the names in the dictionaries around it, and "" for an element of a list.
struct Bencoded {
  enum class Kind : std::uint8_t { number, text, list, dictionary };

  Kind kind = Kind::number;
  const std::vector<std::string_view>& path;
  std::string_view raw;     // The value as written, from its first byte to its last.
  std::string_view text;    // Only of a text.
  std::int64_t number = 0;  // Only of a number.
};

class BencodeReader {
 public:
  virtual ~BencodeReader() = default;
  // Called for a list or dictionary when it ends. Return false to skip the rest of the input.
  virtual bool see(const Bencoded& value) = 0;
};

// Reads one value with nothing after it. Refuses `i-0e`, `i03e`, lengths beyond the end, numbers
// that do not fit, and more than 32 levels. Names may come in any order, because some torrents do
// not sort them.
Result<void> read_bencode(std::string_view bytes, BencodeReader& reader);

}  // namespace haul::qbittorrent

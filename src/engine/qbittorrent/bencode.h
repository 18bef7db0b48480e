#pragma once
// Bencode, of torrents, read without being kept: a walker is told of each value as it comes.

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/fault.h"

namespace haul {

// What was met: where it stands, by the names of the dictionaries around it ("" for an element of a
// list), and what it is.
struct Bencoded {
  enum class Kind : std::uint8_t { number, text, list, dictionary };

  Kind kind = Kind::number;
  const std::vector<std::string_view>& path;
  std::string_view raw;   // As written, from its first byte to its last.
  std::string_view text;  // Of a text.
  std::int64_t number = 0;
};

class BencodeReader {
 public:
  virtual ~BencodeReader() = default;
  // Lists and dictionaries are told of when they end. False: enough, the rest is not read.
  virtual bool see(const Bencoded& value) = 0;
};

// One value and nothing after it. Refused: `i-0e`, `i03e`, lengths beyond the end, numbers that do
// not fit, more than 32 levels. Names may come in any order: torrents are about that do not sort.
Result<void> read_bencode(std::string_view bytes, BencodeReader& reader);

}  // namespace haul

#pragma once
// Reads a file again and compares it with its receipt.

#include <cstdint>
#include <string>

#include "base/receipt.h"

namespace haul::io {

enum class Rechecked : std::uint8_t {
  proven,      // Its bytes have the recorded hash.
  unchanged,   // Size and time are as recorded, but there is no hash to prove the bytes by.
  changed,     // It is another file than the one that landed.
  gone,        // There is no file at its path.
  unreadable,  // It cannot be read now.
};

// What was seen of the file.
struct FileFound {
  std::int64_t size = 0;
  std::string mtime;
  std::string hex;  // Of the receipt's algorithm. Empty if the receipt has no hash.
};

struct RecheckAnswer {
  Rechecked is = Rechecked::unreadable;
  std::string detail;

  bool operator==(const RecheckAnswer&) const = default;
};

RecheckAnswer judge_recheck(const Receipt& receipt, const FileFound& found);
// Takes as long as reading the file does. Does not follow a link.
RecheckAnswer recheck(const Receipt& receipt);

}  // namespace haul::io

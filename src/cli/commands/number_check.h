#pragma once
// Checks numbers on the command line. Each function returns an error, or an empty text.

#include <cstdint>
#include <string>

namespace haul::cli {

// An id or an amount: a whole number of at least 1.
std::string wrong_with_count(const std::string& text);
// Refuses an empty filter: a script with an unset variable must not select everything.
std::string wrong_if_empty(const std::string& text);

struct SizeRange {
  std::int64_t least = 0;
  std::int64_t most = 0;
};
// A size, already converted to bytes.
std::string wrong_with_bytes(const std::string& text, SizeRange range);

}  // namespace haul::cli

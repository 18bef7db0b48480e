#pragma once
// Checks of numbers on the command line. Each returns what is wrong; empty: nothing.

#include <cstdint>
#include <string>

namespace haul {

// A job's number and the like: a whole number from 1 on.
std::string wrong_with_count(const std::string& text);

struct SizeRange {
  std::int64_t least = 0;
  std::int64_t most = 0;
};
// A size that was already turned into bytes.
std::string wrong_with_bytes(const std::string& text, SizeRange range);

}  // namespace haul

#pragma once
// Reads numbers out of the words of a release name.

#include <cstddef>
#include <optional>
#include <string_view>

#include "sink/library/release_words.h"

namespace haul::library {

// A four-digit number in this range may be a year. Titles have the ones after it: "Blade Runner
// 2049", "Cyberpunk 2077".
inline constexpr int kReleaseYearMin = 1900;
inline constexpr int kReleaseYearMax = 2039;

// Reads a word from its front. The text outlives the reader.
class NumberReader {
 public:
  explicit NumberReader(std::string_view text) : rest_{text} {}

  std::string_view rest() const { return rest_; }
  // Whether all is read, but for the version of a file that was released again: "v2".
  bool is_done() const;
  // Whether this stood next. If so, it is read.
  bool skip(std::string_view wanted);
  // The number that stands next, if it has that many digits. At most four digits.
  std::optional<int> number(std::size_t digits_min, std::size_t digits_max);

 private:
  std::string_view rest_;
};

struct BareNumber {
  int number = 0;
  std::size_t word = 0;
};

// The number of an episode that no letter marks, as in "[Group] Show - 137 [1080p]", "05 - Title"
// and "Show [05]". It stands at or after the word `from` and before the word `quality`.
std::optional<BareNumber> find_bare_number(const ReleaseWords& words, std::size_t from,
                                           std::size_t quality);

}  // namespace haul::library

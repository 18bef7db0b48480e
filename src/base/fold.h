#pragma once
// Text made comparable: letters that differ only in case, width or style become equal, and
// characters without width are gone.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace haul {

// The text with small letters, compatible forms replaced ("Ｎ", "𝓝" and "Ⓝ" become "n", "ﬁ" becomes
// "fi"), accents as marks behind their letter, and no invisible characters. Marks behind one letter
// are sorted. Broken UTF-8 becomes blanks. Covers letters and digits outside of the Hangul, Han and
// Arabic scripts; those stay as they are.
std::string folded(std::string_view text);

// What consecutive code points become: words between single blanks, the first for `from`. "_"
// stands for a blank.
struct FoldRun {
  std::uint32_t from = 0;
  std::string_view words;
};
std::span<const FoldRun> fold_runs();  // Sorted.

}  // namespace haul

#pragma once
// The words of a release name: "Show.Name.S01E02-GRP" has "show", "name", "s01e02" and "grp".

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace haul::library {

inline constexpr std::size_t kReleaseNameMax =
    1'000;  // Bytes. The rest of a longer name is ignored.

struct ReleaseWord {
  std::string low;        // In lower case and without apostrophes.
  std::size_t begin = 0;  // Where it stands in the text.
  std::size_t end = 0;
  char bracket = 0;  // The bracket that it stands in: '(', '[' or '{'. Zero if in none.
};

struct ReleaseWords {
  std::string text;  // The name as valid UTF-8 with ASCII brackets, dashes and blanks.
  std::vector<ReleaseWord> words{};

  std::size_t size() const { return words.size(); }
  const std::string& low(std::size_t i) const { return words[i].low; }
  // What stands between a word and the one before it. Before the first word: all up to it.
  std::string_view gap(std::size_t i) const;
  // Whether exactly one separator stands before the word: a dash, dot, blank or underscore.
  bool is_joined(std::size_t i) const;
};

ReleaseWords split_release(std::string_view name);

// The text from one word up to another as people write it: blanks instead of dots and underscores,
// no brackets or dashes at either end. "S.W.A.T" keeps its dots.
std::string words_text(const ReleaseWords& words, std::size_t from, std::size_t to);

}  // namespace haul::library

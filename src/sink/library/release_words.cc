#include "sink/library/release_words.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "base/ascii.h"
#include "base/utf8.h"

namespace haul::library {
namespace {

constexpr std::string_view kSeparators = " ._-()[]{},+~=;|\"/\\";
constexpr std::uint32_t kCurlyApostrophe = 0x2019;

struct Plain {
  std::uint32_t code;
  char ascii;
};
constexpr Plain kPlain[] = {
    {0x00a0, ' '}, {0x3000, ' '}, {0x2013, '-'}, {0x2014, '-'}, {0x3010, '['},
    {0x3011, ']'}, {0xff08, '('}, {0xff09, ')'}, {0xff3b, '['}, {0xff3d, ']'},
};

std::string plain_text(std::string_view name) {
  std::string out;
  while (!name.empty()) {
    const CodePoint at = first_code_point(name);
    const auto* const plain = std::ranges::find(kPlain, at.code, &Plain::code);
    if (at.size == 0 || is_control(at.code))
      out += ' ';
    else if (plain != std::end(kPlain))
      out += plain->ascii;
    else if (!is_invisible(at.code))
      out += name.substr(0, at.size);
    name.remove_prefix(std::max<std::size_t>(at.size, 1));
  }
  return out;
}

// The first bytes of a name, not cut inside a character.
std::string_view limited(std::string_view name) {
  if (name.size() <= kReleaseNameMax) return name;
  std::size_t end = kReleaseNameMax;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xc0U) == 0x80U) --end;
  return name.substr(0, end);
}

bool is_separator(char c) { return kSeparators.find(c) != std::string_view::npos; }

std::string low_word(std::string_view word) {
  std::string out;
  while (!word.empty()) {
    const CodePoint at = first_code_point(word);
    const std::size_t size = std::max<std::size_t>(at.size, 1);
    if (at.code != kCurlyApostrophe && word[0] != '\'') out += lower(word.substr(0, size));
    word.remove_prefix(size);
  }
  return out;
}

// Whether the dot at this position stands between two single letters.
bool is_in_acronym(std::string_view text, std::size_t dot) {
  const auto letter = [&](std::size_t at) { return at < text.size() && is_letter(text[at]); };
  const auto dot_or_end = [&](std::size_t at) { return at >= text.size() || text[at] == '.'; };
  if (dot == 0 || !letter(dot - 1) || !letter(dot + 1)) return false;
  return (dot == 1 || text[dot - 2] == '.') && dot_or_end(dot + 2);
}

std::string_view without_edges(std::string_view text) {
  constexpr std::string_view kFront = " ._-,)]}+~=;|/\\";
  constexpr std::string_view kBack = " ._-,([{+~=;|/\\";
  const std::size_t begin = text.find_first_not_of(kFront);
  if (begin == std::string_view::npos) return {};
  text.remove_prefix(begin);
  return text.substr(0, text.find_last_not_of(kBack) + 1);
}

}  // namespace

std::string_view ReleaseWords::gap(std::size_t i) const {
  const std::size_t begin = i == 0 ? 0 : words[i - 1].end;
  return std::string_view{text}.substr(begin, words[i].begin - begin);
}

bool ReleaseWords::is_joined(std::size_t i) const {
  const std::string_view between = gap(i);
  return i > 0 && between.size() == 1 &&
         std::string_view{"-. _"}.find(between[0]) != std::string_view::npos;
}

ReleaseWords split_release(std::string_view name) {
  ReleaseWords out{.text = plain_text(limited(name))};
  const std::string_view text = out.text;
  char bracket = 0;
  std::size_t at = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '(' || c == '[' || c == '{') bracket = c;
    if (c == ')' || c == ']' || c == '}') bracket = 0;
    if (is_separator(c)) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && !is_separator(text[end])) ++end;
    out.words.push_back({low_word(text.substr(at, end - at)), at, end, bracket});
    at = end;
  }
  return out;
}

std::string words_text(const ReleaseWords& words, std::size_t from, std::size_t to) {
  if (from >= to || from >= words.size()) return {};
  const std::size_t begin = from == 0 ? 0 : words.words[from - 1].end;
  const std::size_t end = to < words.size() ? words.words[to].begin : words.text.size();
  const std::string_view raw =
      without_edges(std::string_view{words.text}.substr(begin, end - begin));
  const bool has_blanks = raw.find(' ') != std::string_view::npos;
  std::string out;
  for (std::size_t at = 0; at < raw.size(); ++at) {
    const bool is_blank_dot = raw[at] == '.' && !has_blanks && !is_in_acronym(raw, at);
    const char c = raw[at] == '_' || is_blank_dot ? ' ' : raw[at];
    if (c != ' ' || !out.ends_with(' ')) out += c;
  }
  return out;
}

}  // namespace haul::library

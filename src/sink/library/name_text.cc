#include "sink/library/name_text.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/utf8.h"

namespace haul::library {
namespace {

std::string with_file_characters(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    switch (text[at]) {
      case '/':
      case '\\':
        out += '+';
        break;
      case ':':
        out += at + 1 < text.size() && text[at + 1] == ' ' ? " -" : "-";
        break;
      case '?':
        out += '!';
        break;
      case '*':
        out += '-';
        break;
      case '<':
      case '>':
      case '|':
      case '"':
        break;
      default:
        out += text[at];
    }
  }
  return out;
}

std::string cleaned(std::string_view title) {
  constexpr std::string_view kBlank = "/\\";
  constexpr std::string_view kRemoved = "()[]{}<>,;:'\"|`~!?@$%^*=";
  std::string out;
  while (!title.empty()) {
    const CodePoint at = first_code_point(title);
    const char c = title[0];
    if (c == '&')
      out += "and";
    else if (kBlank.find(c) != std::string_view::npos)
      out += ' ';
    else if (at.code != 0x2019 && kRemoved.find(c) == std::string_view::npos)
      out += title.substr(0, std::max<std::size_t>(at.size, 1));
    title.remove_prefix(std::max<std::size_t>(at.size, 1));
  }
  return out;
}

// The text with single blanks and none at its ends, in at most that many bytes.
std::string fitted(std::string_view text, std::size_t bytes_max) {
  std::string out;
  for (const char c : text)
    if (!is_blank(c))
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  if (out.size() > bytes_max) {
    std::size_t end = bytes_max;
    while (end > 0 && (static_cast<unsigned char>(out[end]) & 0xc0U) == 0x80U) --end;
    out.resize(end);
  }
  while (out.ends_with(' ')) out.pop_back();
  return out;
}

}  // namespace

std::string file_text(std::string_view text, std::size_t bytes_max) {
  return fitted(with_file_characters(text), bytes_max);
}

std::string clean_text(std::string_view title, std::size_t bytes_max) {
  return fitted(cleaned(title), bytes_max);
}

}  // namespace haul::library

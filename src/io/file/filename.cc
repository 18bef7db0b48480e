#include "io/file/filename.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/ascii.h"
#include "base/ensure.h"
#include "base/utf8.h"

namespace haul::io {
namespace {

constexpr std::size_t kStemMax = 200;  // Leaves room for an extension and ".part" in NAME_MAX.
constexpr std::size_t kExtensionMax = 16;
constexpr int kMarksMax = 8;  // Real letters carry a few combining marks, not hundreds.
constexpr std::string_view kCut = "...";
constexpr std::string_view kForbidden = "<>:\"/\\|?*";
constexpr std::string_view kPacked[] = {".gz", ".xz", ".bz2", ".zst"};
constexpr std::string_view kDevices[] = {"con", "prn", "aux", "nul", "conin$", "conout$"};
constexpr std::string_view kPorts[] = {"com", "lpt"};

struct Split {
  std::string_view stem;
  std::string_view extension;  // With its dot; ".tar.gz" is one extension.
};

Split split(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return {name, {}};
  const std::string_view letters = name.substr(dot + 1);
  if (letters.empty() || letters.size() > kExtensionMax) return {name, {}};
  if (!std::ranges::all_of(letters, [](char c) { return is_letter(c) || is_digit(c); }))
    return {name, {}};
  std::size_t stem = dot;
  if (std::ranges::find(kPacked, lower(name.substr(dot))) != std::end(kPacked) && dot > 4 &&
      lower(name.substr(dot - 4, 4)) == ".tar")
    stem -= 4;
  return {name.substr(0, stem), name.substr(stem)};
}

std::string with_legal_characters(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const CodePoint at = first_code_point(text);
    if (at.size == 0 || is_control(at.code) || kForbidden.find(text[0]) != std::string_view::npos)
      out += '_';
    else if (!is_invisible(at.code))
      out += text.substr(0, at.size);
    text.remove_prefix(std::max<std::size_t>(at.size, 1));
  }
  return out;
}

// Windows opens a device under these names, even with blanks or an extension after them.
bool is_reserved(std::string_view base) {
  while (base.ends_with(' ')) base.remove_suffix(1);
  const std::string name = lower(base);
  if (std::ranges::find(kDevices, name) != std::end(kDevices)) return true;
  if (std::ranges::find(kPorts, name.substr(0, 3)) == std::end(kPorts)) return false;
  const std::string_view number = std::string_view{name}.substr(3);
  if (number.size() == 1) return is_digit(number[0]);
  return number == "\u00b9" || number == "\u00b2" || number == "\u00b3";
}

// The last position at or before this many bytes where the text can be cut: not inside a character,
// nor between a character and its combining marks.
std::size_t boundary(std::string_view text, std::size_t bytes) {
  const auto back = [&](std::size_t at) {
    while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xc0U) == 0x80U) --at;
    return at;
  };
  const auto is_mark = [&](std::size_t at) {
    const std::uint32_t code = first_code_point(text.substr(at)).code;
    return (code >= 0x300 && code <= 0x36f) || code == 0xfe0f;
  };
  const std::size_t plain = back(bytes);
  std::size_t at = plain;
  for (int marks = 0; marks <= kMarksMax && at > 0; ++marks) {
    if (!is_mark(at)) return at;
    at = back(at - 1);
  }
  return plain;
}

// Joins stem and tail in at most kStemMax bytes. A stem that is cut ends in kCut.
std::string fitted(std::string_view stem, std::string_view tail) {
  if (stem.size() + tail.size() <= kStemMax) return fmt::format("{}{}", stem, tail);
  const std::size_t room = kStemMax - kCut.size() - tail.size();
  return fmt::format("{}{}{}", stem.substr(0, boundary(stem, room)), kCut, tail);
}

}  // namespace

std::string safe_name(std::string_view wanted) {
  std::string name = with_legal_characters(wanted);
  name.erase(name.find_last_not_of(". ") + 1);  // Windows drops them, which makes another name.
  name.erase(0, name.find_first_not_of(' '));
  if (name.empty()) return "_";
  if (name[0] == '.' || name[0] == '-') name[0] = '_';  // Not hidden, not an option.
  const std::size_t base = std::min(name.find('.'), name.size());
  if (is_reserved(std::string_view{name}.substr(0, base))) name.insert(base, "_");
  if (lower(name).ends_with(".part")) name += '_';

  const auto [stem, extension] = split(name);
  if (stem.size() <= kStemMax) return name;
  // Without an extension the name would end in the dots of kCut, and no name may end in a dot.
  return fitted(stem, extension.empty() ? "_" : "") + std::string{extension};
}

std::string safe_path(std::string_view wanted) {
  std::string path;
  for (std::size_t slash = wanted.find('/'); slash != std::string_view::npos;
       slash = wanted.find('/')) {
    path += safe_name(wanted.substr(0, slash)) + "/";
    wanted.remove_prefix(slash + 1);
  }
  return path + safe_name(wanted);
}

std::string numbered(std::string_view safe, int n) {
  ensure(!safe.empty(), "a file has a name before it gets a number");
  if (n < 2) return std::string{safe};
  const auto [stem, extension] = split(safe);
  return fitted(stem, fmt::format(" ({})", n)) + std::string{extension};
}

}  // namespace haul::io

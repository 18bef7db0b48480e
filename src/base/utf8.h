#pragma once
// Reads and writes UTF-8, one code point at a time. Overlong forms and surrogates are invalid.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace haul {

struct CodePoint {
  std::uint32_t code = 0;
  std::size_t size = 0;  // In bytes. Zero if the text is not valid UTF-8 here.
};

// The first code point of a text that is not empty.
CodePoint first_code_point(std::string_view text);

bool is_utf8(std::string_view text);

void append_utf8(std::string& out, std::uint32_t code);

// Text in an unknown encoding: unchanged if it is valid UTF-8, else read as Latin-1.
std::string to_utf8(std::string_view bytes);

// C0, DEL, C1 and the separators that end a line.
constexpr bool is_control(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x2028 || code == 0x2029;
}

// Whether the text has control characters other than those in `but`. True if it is not UTF-8.
bool has_control(std::string_view text, std::string_view but = {});

// Characters without width that steer or join others: bidirectional marks, zero width, BOM.
constexpr bool is_invisible(std::uint32_t code) {
  if (code == 0x061c || (code >= 0x200b && code <= 0x200f)) return true;  // zero width, marks
  if (code >= 0x202a && code <= 0x202e) return true;                      // overrides
  return (code >= 0x2060 && code <= 0x206f) || code == 0xfeff;            // isolates, BOM
}

}  // namespace haul

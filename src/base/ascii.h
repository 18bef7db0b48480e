#pragma once
// ASCII character tests and conversions for protocol text. None depends on the locale.

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace haul {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

constexpr bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

constexpr bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// A set of bytes for code that reads many addresses and names: one lookup for each byte, where
// string_view calls a search.
class CharSet {
 public:
  constexpr explicit CharSet(std::string_view members) {
    for (const char c : members) has_[static_cast<unsigned char>(c)] = true;
  }
  constexpr bool has(char c) const { return has_[static_cast<unsigned char>(c)]; }
  // The position of the first member in the text; npos if it has none.
  constexpr std::size_t find_in(std::string_view text) const {
    for (std::size_t i = 0; i < text.size(); ++i)
      if (has(text[i])) return i;
    return std::string_view::npos;
  }

 private:
  std::array<bool, 256> has_{};
};

std::string lower(std::string_view text);

// The text without blanks at either end.
std::string_view trimmed(std::string_view text);

// Decodes every %XX. A '%' without two hex digits after it stays as it is. `sign` replaces the
// '%': mail headers (RFC 2047) use '='.
std::string percent_decoded(std::string_view text, char sign = '%');

// Encodes everything but letters, digits and "-._~", so that the text may stand anywhere in an
// address.
std::string percent_encoded(std::string_view text);

// Whether every '%' is followed by two hex digits.
bool is_percent_encoded(std::string_view text);

}  // namespace haul

#include "base/ascii.h"

namespace haul {
namespace {

constexpr std::string_view kHex = "0123456789abcdef";

// The byte that two hex digits stand for; -1 if `two` does not begin with two hex digits.
int hex_byte(std::string_view two) {
  if (two.size() < 2) return -1;
  const std::size_t high = kHex.find(lower(two[0]));
  const std::size_t low = kHex.find(lower(two[1]));
  if (high == std::string_view::npos || low == std::string_view::npos) return -1;
  return static_cast<int>(high * 16 + low);
}

}  // namespace

std::string lower(std::string_view text) {
  std::string out{text};
  for (char& c : out) c = lower(c);
  return out;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string percent_decoded(std::string_view text, char sign) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const int byte = text.front() == sign ? hex_byte(text.substr(1)) : -1;
    out += byte < 0 ? text.front() : static_cast<char>(byte);
    text.remove_prefix(byte < 0 ? 1 : 3);
  }
  return out;
}

std::string percent_encoded(std::string_view text) {
  constexpr std::string_view kUpperHex = "0123456789ABCDEF";
  constexpr std::string_view kPlain = "-._~";
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (is_digit(c) || is_letter(c) || kPlain.find(c) != std::string_view::npos) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += {'%', kUpperHex[byte >> 4U], kUpperHex[byte & 0xfU]};
  }
  return out;
}

bool is_percent_encoded(std::string_view text) {
  for (std::size_t at = text.find('%'); at != std::string_view::npos; at = text.find('%', at + 1))
    if (hex_byte(text.substr(at + 1)) < 0) return false;
  return true;
}

}  // namespace haul

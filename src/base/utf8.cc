#include "base/utf8.h"

namespace haul {
namespace {

constexpr std::uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};  // By size; less is overlong.

}  // namespace

CodePoint first_code_point(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < size) return {};
  std::uint32_t code = lead & (0xffU >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) return {};
    code = code << 6U | (byte(i) & 0x3fU);
  }
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  if (code < kSmallest[size] || code > 0x10ffff || surrogate) return {};
  return {code, size};
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const CodePoint at = first_code_point(text);
    if (at.size == 0) return false;
    text.remove_prefix(at.size);
  }
  return true;
}

void append_utf8(std::string& out, std::uint32_t code) {
  const auto add = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  const auto bits = [&](unsigned from) { return 0x80U | (code >> from & 0x3fU); };
  if (code < 0x80) {
    add(code);
  } else if (code < 0x800) {
    add(0xc0U | code >> 6U), add(bits(0));
  } else if (code < 0x10000) {
    add(0xe0U | code >> 12U), add(bits(6)), add(bits(0));
  } else {
    add(0xf0U | code >> 18U), add(bits(12)), add(bits(6)), add(bits(0));
  }
}

std::string to_utf8(std::string_view bytes) {
  if (is_utf8(bytes)) return std::string{bytes};
  std::string out;
  for (const char c : bytes) append_utf8(out, static_cast<unsigned char>(c));
  return out;
}

bool has_control(std::string_view text, std::string_view but) {
  for (const auto is_plain = [](char c) { return c >= ' ' && c < '\x7f'; }; !text.empty();) {
    if (is_plain(text.front())) {
      text.remove_prefix(1);
      continue;
    }
    const CodePoint next = first_code_point(text);
    if (next.size == 0) return true;
    const bool allowed = next.size == 1 && but.find(text.front()) != std::string_view::npos;
    if (is_control(next.code) && !allowed) return true;
    text.remove_prefix(next.size);
  }
  return false;
}

}  // namespace haul

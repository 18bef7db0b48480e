#include "bot/label.h"

#include <vector>

#include "base/utf8.h"

namespace haul::bot {
namespace {

constexpr std::uint32_t kEllipsis = 0x2026;

std::vector<std::uint32_t> visible(std::string_view text) {
  std::vector<std::uint32_t> codes;
  while (!text.empty()) {
    const CodePoint next = first_code_point(text);
    text.remove_prefix(next.size == 0 ? 1 : next.size);
    const bool is_blank_one = next.size != 0 && (next.code == ' ' || is_control(next.code));
    if (next.size == 0 || (!is_blank_one && is_invisible(next.code))) continue;
    if (!is_blank_one)
      codes.push_back(next.code);
    else if (!codes.empty() && codes.back() != ' ')
      codes.push_back(' ');
  }
  while (!codes.empty() && codes.back() == ' ') codes.pop_back();
  return codes;
}

std::uint32_t small(std::uint32_t code) {
  if (code >= 'A' && code <= 'Z') return code + 32;
  if (code >= 0x410 && code <= 0x42f) return code + 32;                // А to Я
  if (code == 0x401 || code == 0x451) return 0x435;                    // Ё and ё as е
  if (code >= 0x402 && code <= 0x40f) return code + 80;                // Ђ to Џ
  if (code >= 0xc0 && code <= 0xde && code != 0xd7) return code + 32;  // À to Þ
  return code;
}

}  // namespace

std::string label_of(std::string_view name, std::size_t most) {
  const std::vector<std::uint32_t> codes = visible(name);
  if (codes.empty()) return "?";
  std::string label;
  const std::size_t tail = codes.size() > most ? most / 4 : 0;
  const std::size_t head = codes.size() > most ? most - tail - 1 : codes.size();
  for (std::size_t i = 0; i < head; ++i) append_utf8(label, codes[i]);
  if (tail == 0) return label;
  append_utf8(label, kEllipsis);
  for (std::size_t i = codes.size() - tail; i < codes.size(); ++i) append_utf8(label, codes[i]);
  return label;
}

std::string folded(std::string_view text) {
  std::string out;
  for (const std::uint32_t code : visible(text)) append_utf8(out, small(code));
  return out;
}

}  // namespace haul::bot

#include "engine/child/json_list.h"

#include <cstddef>
#include <utility>

namespace haul::child {
namespace {

// Where a string ends: past its closing quote, or the end of the text.
std::size_t string_end(std::string_view text, std::size_t at) {
  for (++at; at < text.size(); ++at) {
    if (text[at] == '\\')
      ++at;
    else if (text[at] == '"')
      return at + 1;
  }
  return text.size();
}

bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

}  // namespace

TakenArray take_array(std::string_view& text) {
  TakenArray taken;
  std::vector<std::string_view>& elements = taken.elements;
  const std::string_view all = std::exchange(text, {});
  std::size_t at = all.find('[');
  if (at == std::string_view::npos) return taken;
  ++at;
  std::size_t begin = at;
  const auto add = [&](std::size_t end) {
    while (begin < end && is_blank(all[begin])) ++begin;
    while (end > begin && is_blank(all[end - 1])) --end;
    if (end > begin) elements.push_back(all.substr(begin, end - begin));
    begin = at + 1;
  };
  int depth = 0;
  while (at < all.size()) {
    const char c = all[at];
    if (c == '"') {
      at = string_end(all, at);
      continue;
    }
    if (c == '[' || c == '{') ++depth;
    if (depth == 0 && (c == ',' || c == ']')) add(at);
    if (depth == 0 && c == ']') {
      text = all.substr(at + 1);
      taken.is_whole = true;
      return taken;
    }
    if (c == ']' || c == '}') --depth;
    ++at;
  }
  return taken;
}

}  // namespace haul::child

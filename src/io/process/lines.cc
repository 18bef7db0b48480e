#include "io/process/lines.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"

namespace haul::io {

std::vector<std::string> Lines::add(std::string_view bytes) {
  std::vector<std::string> lines;
  for (const char c : bytes) {
    const bool breaks = c == '\n' || c == '\r';
    // Of a line that is too long, the last bytes are kept beside the first: they may be the mark.
    if (!breaks && unread_.size() == line_max_ + mark_.size()) unread_.erase(line_max_, 1);
    if (!breaks && unread_.size() < line_max_ + mark_.size()) unread_ += c;
    const bool marked = !mark_.empty() && unread_.ends_with(mark_);
    if (!breaks && !marked) continue;
    const std::string_view line{unread_};
    take(lines, marked ? line.substr(0, line.size() - mark_.size()) : line);
  }
  return lines;
}

std::string Lines::rest() {
  std::vector<std::string> lines;
  take(lines, unread_);
  return lines.empty() ? std::string{} : std::move(lines.front());
}

void Lines::take(std::vector<std::string>& lines, std::string_view text) {
  text = text.substr(0, line_max_);
  if (!text.empty()) lines.push_back(to_utf8(text));
  unread_.clear();
}

}  // namespace haul::io

#pragma once
// Splits the output of a program into lines, always UTF-8 and never longer than a limit.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace haul::io {

class Lines {
 public:
  // Cuts a line at `line_max` bytes and drops its rest. `mark` ends a line, as a line break does;
  // empty for none.
  explicit Lines(std::size_t line_max, std::string mark = {})
      : line_max_{line_max}, mark_{std::move(mark)} {}

  // The lines that these bytes complete, without their ends. Skips empty lines.
  std::vector<std::string> add(std::string_view bytes);
  // The last line, which has no end yet. Empty if there is none.
  std::string rest();

 private:
  void take(std::vector<std::string>& lines, std::string_view text);

  std::size_t line_max_;
  std::string mark_;
  std::string unread_;
};

}  // namespace haul::io

#pragma once
// Lines out of bytes that a program writes as it likes: never longer than a limit, always UTF-8.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace haul {

class Lines {
 public:
  // What is longer is cut there, and its rest passed over. `mark` ends a line besides a line break;
  // empty: nothing does.
  explicit Lines(std::size_t line_max, std::string mark = {})
      : line_max_{line_max}, mark_{std::move(mark)} {}

  // The lines that these bytes have completed, without their ends.
  std::vector<std::string> add(std::string_view bytes);
  // What has no end; empty if there is nothing.
  std::string rest();

 private:
  void take(std::vector<std::string>& lines, std::string_view text);

  std::size_t line_max_;
  std::string mark_;
  std::string unread_;
};

}  // namespace haul

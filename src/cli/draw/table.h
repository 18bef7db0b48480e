#pragma once
// Rows in columns that fit the terminal. Text from outside is made safe here.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cli/draw/paint.h"

namespace haul::cli {

enum class Align : std::uint8_t { left, right };

struct Column {
  std::string_view title;
  Align align = Align::left;
  std::size_t least = 6;  // Not made narrower than this.
  int spare = 0;          // Columns are dropped in order, highest first, to make room. 0: never.
};

struct Cell {
  std::string text;
  Ink ink = Ink::plain;
};

class Table {
 public:
  // `width` zero: as wide as the text, for programs and files.
  Table(std::vector<Column> columns, std::size_t width, Colour colour);

  void add(std::vector<Cell> cells);

  // The rows added since the last call; the first call begins with the titles. The first rows fix
  // the column widths, so that later pages align with them.
  std::string text();

 private:
  struct VisibleColumn {
    std::size_t column = 0;
    std::size_t width = 0;
  };
  void lay_out();
  std::vector<std::size_t> wanted() const;
  std::string line(const std::vector<Cell>& cells) const;

  std::vector<Column> columns_;
  std::size_t width_;
  Colour colour_;
  std::vector<std::vector<Cell>> rows_;
  std::vector<VisibleColumn> visible_;  // Empty until laid out.
};

// Safe, on one line, and with at most three combining marks per letter: piles of marks would be
// drawn over the lines above.
std::string cell_text(std::string_view text);

}  // namespace haul::cli

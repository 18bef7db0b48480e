#include "cli/draw/table.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>

#include "cli/draw/width.h"
#include "hostile/terminal.h"

namespace haul::cli {
namespace {

std::vector<Column> columns() {
  return {{.title = "ID", .align = Align::right, .least = 2},
          {.title = "STATE", .least = 6, .spare = 1},
          {.title = "NAME", .least = 8}};
}

std::string drawn(std::size_t width, const std::vector<std::vector<Cell>>& rows) {
  Table table{columns(), width, Colour::off};
  for (const auto& row : rows) table.add(row);
  return "\n" + table.text();
}

std::size_t widest(const std::string& text) {
  std::istringstream lines{text};
  std::size_t most = 0;
  for (std::string line; std::getline(lines, line);) most = std::max(most, columns_of(line));
  return most;
}

const std::vector<std::vector<Cell>> kRows{{{"7"}, {"RUNNING"}, {"Big.Buck.Bunny.2008.mkv"}},
                                           {{"123"}, {"done"}, {"a"}}};

TEST_CASE("a table without a terminal is as wide as its cells, and cuts none") {
  CHECK(drawn(0, kRows) == R"(
 ID  STATE    NAME
  7  RUNNING  Big.Buck.Bunny.2008.mkv
123  done     a
)");
}

TEST_CASE("in a narrow terminal the widest column is cut first, then columns are dropped") {
  CHECK(drawn(38, kRows) == drawn(0, kRows));  // 37 columns; the last one stays free.
  CHECK(drawn(30, kRows) == R"(
 ID  STATE    NAME
  7  RUNNING  Big.Buc…008.mkv
123  done     a
)");
  CHECK(drawn(20, kRows) == R"(
 ID  NAME
  7  Big.Buc…08.mkv
123  a
)");
  for (std::size_t width = 2; width < 60; ++width) CHECK(widest(drawn(width, kRows)) < width);
}

TEST_CASE("an empty table has only titles, and later rows align with the first") {
  Table table{columns(), 0, Colour::off};
  CHECK(table.text() == "ID  STATE  NAME\n");

  table.add({{"1"}, {"x"}, {"y"}});
  CHECK(table.text() == " 1  x      y\n");
}

TEST_CASE("colours take no columns") {
  Table table{columns(), 40, Colour::on};
  table.add({{"1"}, {"bad", Ink::red}, {"x"}});

  const std::string text = table.text();

  CHECK(text.find("\x1b[31mbad\x1b[0m    x") != std::string::npos);
  CHECK(widest(unpainted(text)) < 40);
}

TEST_CASE("hostile text stays in its cell and on its line, with control characters escaped") {
  for (const testing::HostileText& hostile : testing::kHostileTexts) {
    CAPTURE(hostile.name);
    for (const std::size_t width : {std::size_t{0}, std::size_t{30}, std::size_t{80}}) {
      Table table{columns(), width, Colour::off};
      table.add({{"1"}, {std::string{hostile.text}}, {std::string{hostile.text}}});

      const std::string text = table.text();

      CHECK(std::ranges::count(text, '\n') == 2);
      CHECK(text.find_first_of("\x1b\x07\r\b") == std::string::npos);
      CHECK(text.find("\u202e") == std::string::npos);
      CHECK(text.find("\u009b") == std::string::npos);
      if (width > 0) CHECK(widest(text) < width);
    }
  }
}

TEST_CASE("a letter keeps three marks, and no more") {
  CHECK(cell_text("e\u0301\u0302\u0303x") == "e\u0301\u0302\u0303x");
  CHECK(cell_text("e\u0301\u0302\u0303\u0304x") == "e\u0301\u0302\u0303x");
}

}  // namespace
}  // namespace haul::cli

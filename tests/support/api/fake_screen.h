#pragma once
// A terminal that draws into memory, so that a test reads what a user would see. It knows only what
// haul sends: text, carriage return, line feed, cursor up, erase line, erase below, colours.

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "cli/draw/screen.h"
#include "cli/draw/width.h"

namespace haul::testing {

class FakeScreen final : public cli::Screen {
 public:
  explicit FakeScreen(std::size_t columns = 80, std::size_t rows = 24) : size_{columns, rows} {}

  cli::ScreenSize size() const override { return size_; }

  void write(std::string_view text) override {
    ++writes;
    raw += text;
    while (!text.empty()) text.remove_prefix(take(text));
  }

  // All rows, scrolled ones too, one per line, without trailing blanks.
  std::string text() const {
    std::string out;
    for (const Row& row : rows_) {
      std::string line;
      for (const std::string& cell : row) line += cell;
      line.erase(line.find_last_not_of(' ') + 1);
      out += line + "\n";
    }
    if (!rows_.empty() && rows_.back().empty()) out.pop_back();  // It only holds the cursor.
    return out;
  }

  // Changes the width as terminals do: rows that are now too long are wrapped.
  void resize(std::size_t columns) {
    size_.columns = columns;
    std::vector<Row> wrapped;
    for (const Row& row : rows_)
      for (std::size_t at = 0; at == 0 || at < row.size(); at += columns)
        wrapped.emplace_back(
            row.begin() + static_cast<std::ptrdiff_t>(at),
            row.begin() + static_cast<std::ptrdiff_t>(std::min(at + columns, row.size())));
    rows_ = std::move(wrapped);
    row_ = rows_.empty() ? 0 : rows_.size() - 1;
  }

  std::string raw;  // Every byte written.
  int writes = 0;

 private:
  // One cell per column. The second cell of a wide character is empty.
  using Row = std::vector<std::string>;

  std::size_t take(std::string_view text) {
    if (text[0] == '\x1b') return escape(text);
    if (text[0] == '\r') column_ = 0;
    if (text[0] == '\n') feed();
    if (text[0] == '\r' || text[0] == '\n') return 1;
    return put(text);
  }

  void feed() {
    ++row_;
    column_ = 0;
    here();
  }

  Row& here() {
    if (rows_.size() <= row_) rows_.resize(row_ + 1);
    return rows_[row_];
  }

  std::size_t escape(std::string_view text) {
    const std::size_t end = text.find_first_of("AKJmhl");
    if (end == std::string_view::npos) {
      raw += "<half an escape>";
      return text.size();
    }
    if (text[end] == 'A') {
      const auto up = static_cast<std::size_t>(std::stoi(std::string{text.substr(2, end - 2)}));
      row_ -= std::min(up, row_);
    }
    if (text[end] == 'K' || text[end] == 'J') here().resize(std::min(column_, here().size()));
    if (text[end] == 'J') rows_.resize(row_ + 1);
    return end + 1;
  }

  std::size_t put(std::string_view text) {
    std::size_t length = 1;
    while (length < text.size() && (static_cast<unsigned char>(text[length]) & 0xc0U) == 0x80)
      ++length;
    const std::string letter{text.substr(0, length)};
    const std::size_t columns = cli::columns_of("a" + letter) - 1;
    if (columns > 0 && column_ + columns > size_.columns) feed();
    Row& row = here();
    if (columns == 0 && column_ > 0) {
      std::size_t before = column_ - 1;
      while (before > 0 && row[before].empty()) --before;
      row[before] += letter;
      return length;
    }
    if (row.size() < column_ + columns) row.resize(column_ + columns, " ");
    row[column_] = letter;
    for (std::size_t i = 1; i < columns; ++i) row[column_ + i].clear();
    column_ += columns;
    return length;
  }

  cli::ScreenSize size_;
  std::vector<Row> rows_;
  std::size_t row_ = 0;
  std::size_t column_ = 0;
};

}  // namespace haul::testing

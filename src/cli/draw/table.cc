#include "cli/draw/table.h"

#include <algorithm>

#include "base/ensure.h"
#include "base/utf8.h"
#include "cli/draw/progress_lines.h"
#include "cli/draw/width.h"

namespace haul::cli {
namespace {

constexpr std::size_t kGap = 2;
constexpr std::size_t kMarksMax = 3;

// The width of all columns and the gaps between them.
template <class Widths>
std::size_t whole(const Widths& widths) {
  std::size_t sum = 0;
  for (const std::size_t width : widths) sum += width + kGap;
  return sum < kGap ? 0 : sum - kGap;
}

}  // namespace

std::string cell_text(std::string_view text) {
  const std::string safe = shown(text);
  std::string out;
  std::size_t marks = 0;
  for (std::string_view rest = safe; !rest.empty();) {
    const std::string_view letter =
        rest.substr(0, std::max<std::size_t>(first_code_point(rest).size, 1));
    rest.remove_prefix(letter.size());
    const bool is_mark = columns_of("a" + std::string{letter}) == 1;
    marks = is_mark ? marks + 1 : 0;
    if (marks <= kMarksMax) out += letter;
  }
  return out;
}

Table::Table(std::vector<Column> columns, std::size_t width, Colour colour)
    : columns_{std::move(columns)}, width_{width}, colour_{colour} {}

void Table::add(std::vector<Cell> cells) {
  ensure(cells.size() == columns_.size(), "a row has a cell for each column of its table");
  for (Cell& cell : cells) cell.text = cell_text(cell.text);
  rows_.push_back(std::move(cells));
}

std::vector<std::size_t> Table::wanted() const {
  std::vector<std::size_t> widths;
  widths.reserve(columns_.size());
  for (const Column& column : columns_) widths.push_back(columns_of(column.title));
  for (const auto& row : rows_)
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], columns_of(row[i].text));
  return widths;
}

void Table::lay_out() {
  const std::vector<std::size_t> widths = wanted();
  for (std::size_t i = 0; i < columns_.size(); ++i) visible_.push_back({i, widths[i]});
  if (width_ == 0) return;
  const auto taken = [this] {
    std::vector<std::size_t> now;
    now.reserve(visible_.size());
    for (const VisibleColumn& visible : visible_) now.push_back(visible.width);
    return whole(now);
  };
  const auto least = [this](const VisibleColumn& visible) {
    return columns_[visible.column].least;
  };
  const auto spare = [this](const VisibleColumn& visible) {
    return columns_[visible.column].spare;
  };
  // Narrow the widest column first. When all are at their least, drop a column.
  while (taken() >= width_) {
    const auto widest = std::ranges::max_element(visible_, {}, [&](const VisibleColumn& visible) {
      return visible.width > least(visible) ? visible.width : 0;
    });
    if (widest->width > least(*widest)) {
      --widest->width;
      continue;
    }
    const auto first_to_go = std::ranges::max_element(visible_, {}, spare);
    if (spare(*first_to_go) == 0) return;
    visible_.erase(first_to_go);
    for (VisibleColumn& visible : visible_) visible.width = widths[visible.column];
  }
}

std::string Table::line(const std::vector<Cell>& cells) const {
  std::string out;
  std::size_t column = 0;
  for (std::size_t i = 0; i < visible_.size(); ++i) {
    const VisibleColumn& visible = visible_[i];
    const Cell& cell = cells[visible.column];
    const std::string text = width_ == 0 ? cell.text : shortened(cell.text, visible.width);
    const std::size_t own = columns_of(text);
    const std::string fill(visible.width > own ? visible.width - own : 0, ' ');
    const bool is_right = columns_[visible.column].align == Align::right;
    const bool is_last = i + 1 == visible_.size();
    out += is_right ? fill + painted(colour_, cell.ink, text)
                    : painted(colour_, cell.ink, text) + (is_last ? "" : fill);
    column += std::max(visible.width, own) + kGap;
    if (!is_last) out += std::string(kGap, ' ');
  }
  out.erase(out.find_last_not_of(' ') + 1);
  // Even the least widths are too wide: cut the line, without colours rather than wrapped.
  const bool is_too_long = width_ > 0 && column >= width_ + kGap;
  return is_too_long ? cut(unpainted(out), width_ - 1) : out;
}

std::string Table::text() {
  std::string out;
  if (visible_.empty()) {
    lay_out();
    std::vector<Cell> titles;
    titles.reserve(columns_.size());
    for (const Column& column : columns_) titles.push_back({std::string{column.title}, Ink::dim});
    out += line(titles) + "\n";
  }
  for (const auto& row : rows_) out += line(row) + "\n";
  rows_.clear();
  return out;
}

}  // namespace haul::cli

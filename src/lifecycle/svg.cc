// Draws a lifecycle as SVG: open states from left to right in table order, ended states below them,
// arrows for the moves. Colours are attributes: a page's Content-Security-Policy may forbid styles.

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "base/ensure.h"
#include "lifecycle/render.h"

namespace haul {
namespace {

constexpr int kBoxWidth = 132;
constexpr int kBoxHeight = 38;
constexpr int kColumn = 250;  // From the left edge of a box to that of the next.
constexpr int kMargin = 28;
constexpr int kArcHeight = 46;  // Of an arrow that goes back or skips boxes, for each column.
constexpr int kEndsBelow = 170;

struct Box {
  const State* state = nullptr;
  int left = 0;
  int top = 0;

  int middle() const { return left + kBoxWidth / 2; }
  int bottom() const { return top + kBoxHeight; }
};

// All moves from one state to another share one arrow.
struct Arrow {
  std::string_view from;
  std::string_view to;
  std::string label;
};

std::string_view colour(End end) {
  switch (end) {
    case End::open:
      return "#3b74c9";
    case End::good:
      return "#2f8f57";
    case End::bad:
      return "#c24141";
    case End::stopped:
      return "#7a7f87";
  }
  return "";  // Not reached: the switch is complete.
}

std::vector<Arrow> arrows_of(const Lifecycle& table) {
  std::vector<Arrow> arrows;
  for (const Move& move : table.moves)
    for (const std::string_view from : move.from) {
      const auto same = std::ranges::find_if(
          arrows, [&](const Arrow& each) { return each.from == from && each.to == move.to; });
      if (same == arrows.end())
        arrows.push_back({from, move.to, std::string{name(move.on)}});
      else
        same->label += fmt::format(", {}", name(move.on));
    }
  return arrows;
}

int arc_room(const std::vector<Box>& boxes) {
  const auto open = std::ranges::count_if(boxes, [](const Box& b) { return b.state->is_open(); });
  return kArcHeight * static_cast<int>(std::max<std::ptrdiff_t>(open - 1, 1));
}

std::vector<Box> boxes_of(const Lifecycle& table) {
  std::vector<Box> boxes;
  for (const State& state : table.states) boxes.push_back({.state = &state});
  const int top = kMargin + arc_room(boxes);
  int open = 0;
  int ended = 0;
  for (Box& box : boxes) {
    int& column = box.state->is_open() ? open : ended;
    box.left = kMargin + kColumn * column++;
    box.top = box.state->is_open() ? top : top + kEndsBelow;
  }
  return boxes;
}

const Box& box_named(const std::vector<Box>& boxes, std::string_view state) {
  const auto found =
      std::ranges::find_if(boxes, [&](const Box& box) { return box.state->name == state; });
  ensure(found != boxes.end(), "an arrow leads from box to box");
  return *found;
}

std::string path(const std::string& way, int label_x, int label_y, const std::string& label) {
  return fmt::format(
      "<path d=\"{}\" fill=\"none\" stroke=\"#7a7f87\" marker-end=\"url(#tip)\"/>\n"
      "<text x=\"{}\" y=\"{}\" font-size=\"11\" text-anchor=\"middle\" "
      "fill=\"#7a7f87\">{}</text>\n",
      way, label_x, label_y, label);
}

// An arrow between open states: a straight line to the next box. Else an arc above the boxes,
// higher the more columns it spans.
std::string along(const Box& from, const Box& to, const std::string& label) {
  const int steps = (to.left - from.left) / kColumn;
  const int y = from.top + kBoxHeight / 2;
  if (steps == 1)
    return path(fmt::format("M{} {} H{}", from.left + kBoxWidth, y, to.left - 2),
                (from.left + kBoxWidth + to.left) / 2, y - 6, label);
  const int high = from.top - kArcHeight * std::abs(steps) + (steps < 0 ? 12 : 0);
  const int aside = steps < 0 ? -18 : 18;
  return path(fmt::format("M{} {} C{} {} {} {} {} {}", from.middle() + aside, from.top,
                          from.middle() + aside, high, to.middle() + aside, high,
                          to.middle() + aside, to.top - 2),
              (from.middle() + to.middle()) / 2 + aside, from.top - (from.top - high) * 3 / 4 - 3,
              label);
}

std::string down(const Box& from, const Box& to, const std::string& label) {
  const int half = (from.bottom() + to.top) / 2;
  const int label_y = from.bottom() + 24 + (from.left / kColumn % 3) * 14;
  return path(fmt::format("M{} {} C{} {} {} {} {} {}", from.middle(), from.bottom(), from.middle(),
                          half, to.middle(), half, to.middle(), to.top - 2),
              from.middle() + (to.middle() - from.middle()) / 5, label_y, label);
}

std::string up(const Box& from, const Box& to, const std::string& label) {
  const int x = from.middle() - 30;
  const int half = (from.top + to.bottom()) / 2 + 20;
  return path(fmt::format("M{} {} C{} {} {} {} {} {}", x, from.top, x, half, to.middle() - 30, half,
                          to.middle() - 30, to.bottom() + 2),
              x + (to.middle() - from.middle()) / 4, from.top - 20, label);
}

std::string drawn(const Arrow& arrow, const std::vector<Box>& boxes) {
  const Box& from = box_named(boxes, arrow.from);
  const Box& to = box_named(boxes, arrow.to);
  if (!from.state->is_open()) return up(from, to, arrow.label);
  return to.state->is_open() ? along(from, to, arrow.label) : down(from, to, arrow.label);
}

std::string drawn(const Box& box) {
  const State& state = *box.state;
  return fmt::format(
      "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"8\" fill=\"{}\"{}/>\n"
      "<text x=\"{}\" y=\"{}\" font-size=\"13\" text-anchor=\"middle\" "
      "fill=\"#ffffff\">{}</text>\n",
      box.left, box.top, kBoxWidth, kBoxHeight, colour(state.end),
      state.is_leased() ? " stroke=\"#e0a325\" stroke-width=\"3\"" : "", box.middle(),
      box.top + kBoxHeight / 2 + 5, state.name);
}

}  // namespace

std::string to_svg(const Lifecycle& table) {
  const std::vector<Box> boxes = boxes_of(table);
  int width = 0;
  int height = 0;
  for (const Box& box : boxes) {
    width = std::max(width, box.left + kBoxWidth + kMargin);
    height = std::max(height, box.bottom() + kMargin);
  }
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\" font-family=\"sans-serif\" role=\"img\">\n<title>{2}</title>\n"
      "<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" "
      "markerHeight=\"8\" orient=\"auto\"><path d=\"M0 0 L8 4 L0 8 z\" "
      "fill=\"#7a7f87\"/></marker></defs>\n",
      width, height, table.name);
  for (const Arrow& arrow : arrows_of(table)) out += drawn(arrow, boxes);
  for (const Box& box : boxes) out += drawn(box);
  return out + "</svg>\n";
}

}  // namespace haul

#pragma once
// Lifecycle tables that could not work, from list C of the hostile inputs, and what the check of a
// table says about each.

#include <string>
#include <vector>

#include "lifecycle/check.h"
#include "lifecycle/table.h"

namespace haul::testing {

struct HostileTable {
  const char* id;
  std::vector<State> states;
  std::vector<Move> moves;
  std::string found;  // The problem and its state.
};

constexpr State open_row(std::string_view name) {
  return {.name = name,
          .on_fault = row::kStay,
          .on_fail = row::kNever,
          .on_lost = row::kNever,
          .on_cancel = row::kRefused};
}
constexpr State end_row(std::string_view name, End end) { return {.name = name, .end = end}; }

struct HostileMove {
  std::string_view from;
  On on;
  std::string_view to;
  By by = By::worker;
  Bound bound = Bound::none;
};
constexpr Move move_row(const HostileMove& move) {
  return {.from = {move.from},
          .on = move.on,
          .by = move.by,
          .to = move.to,
          .terms = {.bound = move.bound}};
}

// clang-format off
inline const std::vector<HostileTable> kHostileTables = {
    {"C26", {open_row("a"), open_row("b"), end_row("z", End::good)},
            {move_row({"a", On::done, "z"}), move_row({"b", On::done, "z"})},
            "unreachable_state b"},
    {"C26", {open_row("a"), open_row("b"), end_row("z", End::good)},
            {move_row({"a", On::done, "z"}), move_row({"a", On::start, "b"})},
            "no_exit b"},
    {"C26", {open_row("a")}, {}, "no_exit a"},
    {"C27", {open_row("a"), end_row("z", End::bad)},
            {move_row({"a", On::fail, "z"}),
             move_row({"z", On::requeue, "a", By::worker, Bound::attempt})},
            "exit_from_end z"},
    {"C27", {open_row("a"), end_row("z", End::bad)},
            {move_row({"a", On::fail, "z"}),
             move_row({"z", On::retry, "a", By::timer, Bound::timer})},
            "exit_from_end z"},
    {"C27", {open_row("a"), end_row("z", End::bad)},
            {move_row({"a", On::fail, "z"}),
             move_row({"z", On::retry, "a", By::user, Bound::human})},
            "none"},
    {"C29", {open_row("a"), open_row("b"), end_row("z", End::good)},
            {move_row({"a", On::skip, "z"}), move_row({"a", On::start, "b"}),
             move_row({"b", On::requeue, "a"})},
            "unbounded_loop a"},
    {"C29", {open_row("a"), open_row("b"), end_row("z", End::good)},
            {move_row({"a", On::skip, "z"}), move_row({"a", On::start, "b"}),
             move_row({"b", On::requeue, "a", By::worker, Bound::attempt})},
            "none"},
};
// clang-format on

}  // namespace haul::testing

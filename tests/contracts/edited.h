#pragma once
// Edited copies of the lifecycle tables, and asks that the tables grant. The rules are pure
// functions of a table, so an edited copy needs no store.

#include <doctest/doctest.h>

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "lifecycle/check.h"
#include "lifecycle/tables.h"
#include "store/rules/move.h"

namespace haul::testing {

inline constexpr Time kEditedNow = from_unix_ms(1'770'000'000'000);

// The six tables, also while a test registers another: all_lifecycles() shows a list that moves.
inline std::vector<const Lifecycle*> six_tables() {
  return {all_lifecycles().begin(), all_lifecycles().end()};
}

// A copy of a table whose cells can be changed.
struct Edited {
  explicit Edited(const Lifecycle& original)
      : states{original.states.begin(), original.states.end()},
        moves{original.moves.begin(), original.moves.end()},
        table{original} {
    table.states = states;
    table.moves = moves;
  }
  Edited(const Edited&) = delete;
  Edited& operator=(const Edited&) = delete;

  std::vector<State> states;
  std::vector<Move> moves;
  Lifecycle table;
};

// Everything holds, unless a test says otherwise.
struct Facts final : rules::JobFacts {
  bool is_owner_active(JobId) override { return active; }
  bool has_items_left(JobId) override { return items_left; }
  bool is_replaced(JobId) override { return replaced; }

  bool active = true;
  bool items_left = false;
  bool replaced = false;
};

// An ask for this move that the table with this row grants.
inline Ask draft(const Lifecycle& table, const Move& move, std::string_view from) {
  Ask ask{.version = {.id = JobId{1}, .lifecycle = &table, .state = from},
          .on = move.on,
          .by = move.by};
  if (move.by == By::worker) ask.worker = WorkerId{1};
  if (move.terms.needs != Proof::none) ask.proof = {move.terms.needs, "{}"};
  if (move.has(Effect::record_asset)) ask.assets = {AssetFacts{.media_type = "x", .path = "/x"}};
  ask.holds = move.terms.guards;
  return ask;
}

// The list without one of its entries.
template <class T>
ShortList<T, 4> without(const ShortList<T, 4>& list, const T& left_out) {
  std::vector<T> left;
  for (const T& each : list)
    if (each != left_out) left.push_back(each);
  ShortList<T, 4> shorter;
  if (left.size() == 1) shorter = {left[0]};
  if (left.size() == 2) shorter = {left[0], left[1]};
  if (left.size() == 3) shorter = {left[0], left[1], left[2]};
  return shorter;
}

// The list with one more entry, if it lacks the entry and has room for it. Else without the entry.
template <class T>
ShortList<T, 4> toggled(const ShortList<T, 4>& list, const T& entry) {
  if (list.contains(entry) || list.size() == 4) return without(list, entry);
  const auto* const at = list.begin();
  switch (list.size()) {
    case 0:
      return {entry};
    case 1:
      return {at[0], entry};
    case 2:
      return {at[0], at[1], entry};
    default:
      return {at[0], at[1], at[2], entry};
  }
}

// Counts edits of cells. Each must change what haul derives from the table, or check() refuses it.
struct Tried {
  using Change = std::function<void(Edited&)>;
  using Derive = std::function<std::string(const Lifecycle&)>;

  std::size_t edits = 0;
  std::size_t changed = 0;

  void edit(const Lifecycle& table, const std::string& cell, const Change& change,
            const Derive& derive) {
    Edited edited{table};
    change(edited);
    const bool is_changed = derive(edited.table) != derive(table);
    const bool is_refused = check(edited.table).problem != Problem::none;
    CHECK_MESSAGE((is_changed || is_refused), table.name, ".", cell, " changes nothing");
    ++edits;
    changed += is_changed ? 1 : 0;
  }
};

}  // namespace haul::testing

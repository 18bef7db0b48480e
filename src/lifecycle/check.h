#pragma once
// Checks a lifecycle table for mistakes. The same function runs in a static_assert on the built-in
// tables and at run time on a user's own table.

#include <array>
#include <cstddef>
#include <string_view>

#include "lifecycle/table.h"

namespace haul {

enum class Problem : std::uint8_t {
  none,
  no_states,            // No state at all, or more than kStatesMax.
  duplicate_state,      // Two rows with one name.
  unknown_state,        // A move or an answer names a state without a row, or a move has no `from`.
  ended_at_birth,       // The initial state is not open.
  unreachable_state,    // No chain of moves leads to this state.
  no_exit,              // An open state from which no ended state can be reached.
  stranded_lease,       // A leased state whose on_lost neither moves nor adopts the job.
  failed_but_held,      // A leased state whose on_fail goes nowhere: its worker would keep the job.
  ambiguous_trigger,    // Two rows for one state and one trigger.
  idle_move,            // A move from a state to itself.
  exit_from_end,        // A move out of an ended state that is not a user's retry.
  unbounded_loop,       // A loop in which no move names a bound.
  open_answer,          // An open state does not set all four answers.
  answer_without_move,  // An answer names a state that no move reaches from here.
  odd_answer,           // Only on_fault stays, only on_lost adopts, only on_cancel refuses.
  idle_answer,          // An answer to something that cannot happen in this state.
  fault_ends,           // on_fault leads to an ended state. Only on_fail ends a job.
  refused_move,         // A state refuses the cancel that one of its moves makes.
  unguarded_cancel,     // A job that any user could cancel: the move lacks owner_or_admin.
  too_many_takeable,    // More than kTakeableMax states from which workers take jobs.
  hidden_by_lanes,      // Lanes are hosts, but haul finds such jobs by the lane of the lifecycle.
  no_items_to_clear,    // A move clears the parts of items, but the lifecycle has no items.
  odd_key,              // A key without fields, fields without a key, or one of a window and the
                        // field `minute` without the other.
  odd_again,            // Jobs that nothing repeats, states without a scope, or a window.
  idle_backoff,         // A wait between attempts, but no job of the lifecycle waits for another.
  idle_effect,          // An effect of adding that an add does not have.
  idle_reasons,         // Words for reasons, but only a client's words say why its jobs wait.
};

std::string_view name(Problem problem);

struct CheckResult {
  Problem problem = Problem::none;
  std::string_view where;  // The state with the problem.

  constexpr bool operator==(Problem other) const { return problem == other; }
};

inline constexpr std::size_t kStatesMax = 32;
// One statement claims the jobs of a lane. It has this many parameters for states.
inline constexpr std::size_t kTakeableMax = 6;

namespace check_detail {

using Grid = std::array<std::array<bool, kStatesMax>, kStatesMax>;

constexpr std::size_t index_of(const Lifecycle& table, std::string_view state) {
  std::size_t i = 0;
  while (i < table.states.size() && table.states[i].name != state) ++i;
  return i;
}

// Which moves closure() follows: all, or only those without a bound.
enum class Edges : std::uint8_t { all, unbounded };

// grid[a][b]: one or more moves lead from state a to state b.
constexpr Grid closure(const Lifecycle& table, Edges edges) {
  Grid leads{};
  for (const Move& move : table.moves) {
    if (edges == Edges::unbounded && move.terms.bound != Bound::none) continue;
    for (const std::string_view from : move.from)
      leads[index_of(table, from)][index_of(table, move.to)] = true;
  }
  const std::size_t n = table.states.size();
  for (std::size_t via = 0; via < n; ++via)
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < n; ++b)
        leads[a][b] = leads[a][b] || (leads[a][via] && leads[via][b]);
  return leads;
}

constexpr CheckResult check_names(const Lifecycle& table) {
  if (table.states.empty() || table.states.size() > kStatesMax) return {Problem::no_states, {}};
  for (std::size_t i = 0; i < table.states.size(); ++i)
    if (index_of(table, table.states[i].name) != i)
      return {Problem::duplicate_state, table.states[i].name};
  for (const Move& move : table.moves) {
    if (move.from.empty() || !table.find(move.to)) return {Problem::unknown_state, move.to};
    for (const std::string_view from : move.from)
      if (!table.find(from)) return {Problem::unknown_state, from};
  }
  if (!table.initial().is_open()) return {Problem::ended_at_birth, table.initial().name};
  return {};
}

constexpr CheckResult check_moves(const Lifecycle& table) {
  for (std::size_t i = 0; i < table.moves.size(); ++i) {
    const Move& move = table.moves[i];
    for (const std::string_view from : move.from) {
      if (from == move.to) return {Problem::idle_move, from};
      for (std::size_t j = i + 1; j < table.moves.size(); ++j)
        if (table.moves[j].on == move.on && table.moves[j].from.contains(from))
          return {Problem::ambiguous_trigger, from};
      const bool retry = move.on == On::retry && move.by == By::user;
      if (!table.find(from)->is_open() && !retry) return {Problem::exit_from_end, from};
    }
  }
  return {};
}

constexpr CheckResult check_graph(const Lifecycle& table) {
  const Grid leads = closure(table, Edges::all);
  const Grid unbounded = closure(table, Edges::unbounded);
  for (std::size_t i = 0; i < table.states.size(); ++i) {
    const State& state = table.states[i];
    if (i != 0 && !leads[0][i]) return {Problem::unreachable_state, state.name};
    bool exits = false;
    for (std::size_t j = 0; j < table.states.size(); ++j)
      exits = exits || (leads[i][j] && !table.states[j].is_open());
    if (state.is_open() && !exits) return {Problem::no_exit, state.name};
    if (unbounded[i][i]) return {Problem::unbounded_loop, state.name};
  }
  return {};
}

// on_lost and on_cancel need a move with that trigger. on_fault and on_fail need one that answers
// faults.
constexpr bool has_move(const Lifecycle& table, const State& state, const Answer& answer,
                        const On* trigger) {
  if (answer.kind != AnswerKind::go) return true;
  for (const Move& move : table.moves)
    if (move.to == answer.to && move.from.contains(state.name) &&
        (trigger ? move.on == *trigger : answers_faults(move.on)))
      return true;
  return false;
}

// Whether a worker or a client works on a job in this state, so that the work can fail.
constexpr bool has_work(const State& state) {
  return state.step != Step::claim && state.step != Step::wait;
}

// A job can fail where work can, and at the end of a timed wait. It is lost only by a worker.
constexpr bool has_idle_answer(const State& state) {
  const bool can_fail = state.is_leased() || state.step != Step::claim;
  return (!has_work(state) && state.on_fault.kind != AnswerKind::never) ||
         (!can_fail && state.on_fail.kind != AnswerKind::never) ||
         (!state.is_leased() && state.on_lost.kind != AnswerKind::never);
}

constexpr CheckResult check_answers(const Lifecycle& table) {
  constexpr On kLost = On::lost;
  constexpr On kCancel = On::cancel;
  struct Row {
    const Answer* answer;
    const On* trigger;
    AnswerKind also;  // Besides never and go.
  };
  for (const State& state : table.states) {
    if (!state.is_open()) continue;
    const Row rows[] = {{&state.on_fault, nullptr, AnswerKind::stay},
                        {&state.on_fail, nullptr, AnswerKind::go},
                        {&state.on_lost, &kLost, AnswerKind::adopt},
                        {&state.on_cancel, &kCancel, AnswerKind::refused}};
    for (const auto& [answer, trigger, also] : rows) {
      if (answer->kind == AnswerKind::open) return {Problem::open_answer, state.name};
      if (answer->kind != AnswerKind::never && answer->kind != AnswerKind::go &&
          answer->kind != also)
        return {Problem::odd_answer, state.name};
      if (answer->kind == AnswerKind::go && !table.find(answer->to))
        return {Problem::unknown_state, answer->to};
      if (!has_move(table, state, *answer, trigger))
        return {Problem::answer_without_move, state.name};
    }
    if (has_idle_answer(state)) return {Problem::idle_answer, state.name};
    if (state.on_fault.kind == AnswerKind::go && !table.find(state.on_fault.to)->is_open())
      return {Problem::fault_ends, state.name};
    if (!state.is_leased()) continue;
    if (state.on_lost.kind == AnswerKind::never) return {Problem::stranded_lease, state.name};
    if (state.on_fail.kind != AnswerKind::go) return {Problem::failed_but_held, state.name};
  }
  return {};
}

// An item has cancel moves too, but answers no cancel: it is cancelled with its job.
constexpr CheckResult check_cancels(const Lifecycle& table) {
  for (const State& state : table.states) {
    const Move* move = table.find(state.name, On::cancel);
    if (!state.is_open() || !move) continue;
    if (state.on_cancel.kind == AnswerKind::refused) return {Problem::refused_move, state.name};
    if (state.on_cancel.kind == AnswerKind::go && !move->has(Guard::owner_or_admin))
      return {Problem::unguarded_cancel, state.name};
  }
  return {};
}

// No claim finds a job at a client or in a timed wait: the worker looks for it in the lane of the
// lifecycle's name.
constexpr CheckResult check_lanes(const Lifecycle& table) {
  std::size_t takeable = 0;
  for (const State& state : table.states) {
    if (table.is_takeable(state) && ++takeable > kTakeableMax)
      return {Problem::too_many_takeable, state.name};
    const bool is_looked_up =
        state.is_at_client() || (state.is_open() && !state.is_leased() && state.step == Step::wait);
    if (table.lane == LaneBy::host && is_looked_up) return {Problem::hidden_by_lanes, state.name};
  }
  return {};
}

// With a sanitizer the compiler does not know that the address of another table is not null, so a
// comparison with null is a constant only if there is none.
constexpr bool has_items(const Lifecycle& table) {
  if consteval {
    return !__builtin_constant_p(table.items == nullptr) || table.items != nullptr;
  } else {
    return table.items != nullptr;
  }
}

// Only the work on items removes parts: no handler would answer the intent of another lifecycle.
constexpr CheckResult check_items(const Lifecycle& table) {
  if (has_items(table)) return {};
  for (const Move& move : table.moves)
    if (move.has(Effect::clear_parts)) return {Problem::no_items_to_clear, *move.from.begin()};
  return {};
}

// The minute is what ends a window: without it, a window lasts for ever.
constexpr CheckResult check_key(const Lifecycle& table) {
  const Lifecycle::Key& key = table.key;
  const bool has_window = key.scope == KeyScope::window;
  if (key.fields.empty() != (key.scope == KeyScope::none) ||
      key.fields.contains("minute") != has_window)
    return {Problem::odd_key, {}};
  return {};
}

// A new job repeats one that has ended, if no move does. Its key has no minute, so no window ends.
constexpr CheckResult check_again(const Lifecycle& table) {
  const Lifecycle::Again& again = table.again;
  if (again.from.empty() != (again.scope == KeyScope::none) || again.scope == KeyScope::window)
    return {Problem::odd_again, {}};
  for (const std::string_view from : again.from) {
    const State* state = table.find(from);
    if (!state || state->is_open() || table.find(from, On::retry))
      return {Problem::odd_again, from};
    if (state->end == End::good && !has_items(table)) return {Problem::odd_again, from};  // Whole.
  }
  return {};
}

// Whether a job in this state may wait for another attempt: at its client, after a fault, or in a
// timed wait.
constexpr bool waits_for_attempt(const State& state) {
  return state.is_at_client() ||
         (state.is_open() && (state.step == Step::wait || state.on_fault.kind == AnswerKind::go));
}

// Columns that nothing would read.
constexpr CheckResult check_idle(const Lifecycle& table) {
  bool waits = false;
  bool is_elsewhere = false;  // In an open state, and not at a client.
  for (const State& state : table.states) {
    waits = waits || waits_for_attempt(state);
    is_elsewhere = is_elsewhere || (state.is_open() && !state.is_at_client());
  }
  const bool has_backoff = table.backoff.base > Millis{0} || table.backoff.floor > Millis{0};
  if (has_backoff && !waits) return {Problem::idle_backoff, {}};
  if (!table.reasons.empty() && !is_elsewhere) return {Problem::idle_reasons, {}};
  for (const Effect effect : table.add.effects) {
    bool is_read = effect == Effect::note_added || effect == Effect::reserve_credit;
    for (const RequestField& field : table.request.fields)
      is_read = is_read || (effect == Effect::enter_book && field.use == FieldUse::book);
    if (!is_read) return {Problem::idle_effect, {}};
  }
  return {};
}

}  // namespace check_detail

// The first problem found, or Problem::none.
constexpr CheckResult check(const Lifecycle& table) {
  using namespace check_detail;
  for (const auto part : {check_names, check_moves, check_answers, check_cancels, check_graph,
                          check_lanes, check_items, check_key, check_again, check_idle})
    if (const CheckResult found = part(table); found.problem != Problem::none) return found;
  return {};
}

}  // namespace haul

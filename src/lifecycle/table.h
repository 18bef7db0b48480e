#pragma once
// A lifecycle is data: states, moves, and what a state answers when something goes wrong.
// The first State row is the initial one. All text is static, so string views stay valid.

#include <chrono>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/few.h"
#include "lifecycle/words.h"

namespace haul {

enum class AnswerKind : std::uint8_t {
  open,     // Not set. check() refuses this in an open state.
  stay,     // Keep the state.
  refused,  // Impossible or not allowed in this state.
  adopt,    // The next worker takes over in the same state. Counts the loss, makes no move.
  go,       // Move to the named state.
};

struct Answer {
  AnswerKind kind = AnswerKind::open;
  std::string_view to;

  constexpr Answer() = default;
  constexpr Answer(AnswerKind answer) : kind{answer} {}
  constexpr Answer(const char* state) : kind{AnswerKind::go}, to{state} {}
  bool operator==(const Answer&) const = default;
};

// Short names for table rows.
namespace row {
constexpr Answer kStay{AnswerKind::stay};
constexpr Answer kRefused{AnswerKind::refused};
constexpr Answer kAdopt{AnswerKind::adopt};
enum class Leased : std::uint8_t { no, yes };
}  // namespace row

struct State {
  std::string_view name;
  End end = End::open;
  Step step = Step::none;
  row::Leased leased = row::Leased::no;
  std::chrono::seconds stuck_after{0};  // Zero: never.
  Answer on_fault{};                    // A retryable fault.
  Answer on_fail{};                     // A permanent fault, or the last attempt is spent.
  Answer on_lost{};                     // The worker that held it went silent.
  Answer on_cancel{};                   // A user cancels the job.

  constexpr bool is_open() const { return end == End::open; }
  constexpr bool is_leased() const { return leased == row::Leased::yes; }
};

using StateSet = Few<std::string_view, 4>;

struct Move {
  struct Terms {
    Few<Guard, 4> guards{};
    Proof needs = Proof::none;
    Few<Effect, 4> effects{};
    Bound bound = Bound::none;
  };

  StateSet from{};
  On on = On::fail;
  By by = By::worker;
  std::string_view to;
  std::string_view origin;  // The document section or settlement that asks for this row.
  Terms terms{};

  constexpr bool has(Effect effect) const { return terms.effects.contains(effect); }
  constexpr bool has(Guard guard) const { return terms.guards.contains(guard); }
};

struct Lifecycle {
  struct Add {
    Few<Guard, 4> guards{};
    Few<Effect, 4> effects{};
  };
  struct Key {
    KeyScope scope = KeyScope::none;
    Few<std::string_view, 4> fields{};  // Request fields, or `owner` or `minute`.
  };

  std::string_view name;
  std::span<const State> states;
  std::span<const Move> moves;
  Add add{};
  Key key{};
  Few<std::string_view, 4> slot{};      // Fields that form the slot. Empty if there is no slot.
  int attempts_max = 0;                 // 0: attempts are counted but not limited.
  std::chrono::seconds lease_after{8};  // A worker silent for this long loses its jobs.

  constexpr const State& initial() const { return states.front(); }
  constexpr const State* find(std::string_view state) const {
    for (const State& s : states)
      if (s.name == state) return &s;
    return nullptr;
  }
  constexpr const Move* find(std::string_view from, On on) const {
    for (const Move& m : moves)
      if (m.on == on && m.from.contains(from)) return &m;
    return nullptr;
  }
};

}  // namespace haul

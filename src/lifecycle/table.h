#pragma once
// A lifecycle is data: states, moves, and what a state answers when something goes wrong.
// The first State row is the initial one. All text is static, so string views stay valid.

#include <chrono>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/backoff.h"
#include "base/ensure.h"
#include "base/short_list.h"
#include "lifecycle/request.h"
#include "lifecycle/words.h"

namespace haul {

enum class AnswerKind : std::uint8_t {
  open,     // Not set. check() refuses this in an open state.
  never,    // It cannot happen in this state.
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
constexpr Answer kNever{AnswerKind::never};
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
  // Whether an outside client works on the job, so that no worker leases it.
  constexpr bool is_at_client() const {
    return is_open() && !is_leased() && step == Step::transfer;
  }
};

using StateSet = ShortList<std::string_view, 4>;

struct Move {
  struct Terms {
    ShortList<Guard, 4> guards{};
    Proof needs = Proof::none;
    ShortList<Effect, 4> effects{};
    Bound bound = Bound::none;
  };

  StateSet from{};
  On on = On::fail;
  By by = By::worker;
  std::string_view to;
  // Documents the row: the section or requirement that asks for it. Only descriptions of the table
  // read it, such as `haul lifecycle` (Z-20).
  std::string_view origin;
  Terms terms{};

  constexpr bool has(Effect effect) const { return terms.effects.contains(effect); }
  constexpr bool has(Guard guard) const { return terms.guards.contains(guard); }
};

// What is hashed into an idempotency key.
enum class KeyForm : std::uint8_t {
  array,   // A canonical JSON array of the fields.
  colons,  // The fields as text, joined by colons.
};

enum class LaneBy : std::uint8_t {
  lifecycle,  // All jobs of the lifecycle share one lane.
  host,       // One lane per host of the first address.
};

// What a reason means that the handler gives while a job waits for its next turn.
struct ReasonWords {
  std::string_view reason;
  std::string_view code;     // What `why` calls it: a stable word.
  std::string_view because;  // A sentence. {lane} stands for the job's lane, {job} for its number.
  std::string_view next;     // What happens next.
};

// Whether a new job of the lifecycle begins in a store that was restored from a backup (Z-31).
enum class WhenRestored : std::uint8_t { begins, waits };

struct Lifecycle {
  struct Add {
    ShortList<Guard, 4> guards{};
    ShortList<Effect, 4> effects{};
  };
  // An ended job that may be repeated by a new job, if it did not bring all that was asked for.
  struct Again {
    StateSet from{};
    KeyScope scope = KeyScope::none;  // How long a second request finds that new job.
  };
  struct Key {
    KeyScope scope = KeyScope::none;
    KeyForm form = KeyForm::array;
    ShortList<std::string_view, 4> fields{};  // Request fields, or `owner` or `minute`.
  };

  std::string_view name;
  std::span<const State> states;
  std::span<const Move> moves;
  RequestForm request{};
  const Lifecycle* items = nullptr;  // The lifecycle of its items, if it has any.
  Add add{};
  Again again{};
  Key key{};
  ShortList<std::string_view, 4> slot{};  // Fields that form the slot. Empty if there is no slot.
  LaneBy lane = LaneBy::lifecycle;        // Jobs of one lane are claimed in turn with other lanes.
  int attempts_max = 0;                   // 0: attempts are counted but not limited.
  Backoff backoff{.base = Millis{0}, .floor = Millis{0}};  // The wait before another attempt.
  std::chrono::seconds lease_after{8};  // Without a heartbeat for this long, a worker loses it.
  WhenRestored when_restored = WhenRestored::begins;
  std::span<const ReasonWords> reasons{};

  // Whether workers take jobs out of this state: by a claim, or to adopt one that no worker holds.
  constexpr bool is_takeable(const State& state) const {
    return state.is_leased() || find(state.name, On::claim);
  }
  // Whether workers lease its jobs.
  constexpr bool is_claimed() const {
    for (const State& s : states)
      if (s.is_leased()) return true;
    return false;
  }
  constexpr const State& initial() const { return states.front(); }
  constexpr const State* find(std::string_view state) const {
    for (const State& s : states)
      if (s.name == state) return &s;
    return nullptr;
  }
  // A state that the table must have: one of its own moves or jobs names it.
  const State& at(std::string_view state) const {
    const State* found = find(state);
    ensure(found != nullptr, "a state is in the table of its lifecycle");
    return *found;
  }
  constexpr const Move* find(std::string_view from, On on) const {
    for (const Move& m : moves)
      if (m.on == on && m.from.contains(from)) return &m;
    return nullptr;
  }
};

}  // namespace haul

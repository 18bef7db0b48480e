#pragma once
// The rule of pauses, as a pure function. A paused job is not claimed.

#include <cstdint>
#include <expected>
#include <optional>
#include <string_view>

#include "store/job.h"
#include "store/refusal.h"

namespace haul::rules {

enum class PauseTurn : std::uint8_t { pause, resume };

// What the rule compares. The backend reads it in the transaction that will change the row.
struct PauseFacts {
  JobVersion version;
  PauseTurn turn = PauseTurn::pause;
  bool is_leased = false;
  bool is_withdrawn = false;  // A worker answers the user's intent, which is not open any more.
};

// The backend compares the row with PauseFacts::version, sets it to this, and writes the note.
struct PauseChange {
  bool paused = false;
  std::optional<Time> due_latest{};  // The row is due no later; it stays as it is if absent.
  std::string_view note{};           // The type of the event.
};

std::expected<PauseChange, Refusal> grant_pause(const PauseFacts& facts, Time now);

}  // namespace haul::rules

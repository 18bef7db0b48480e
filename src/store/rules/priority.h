#pragma once
// The rule of priorities, as a pure function. A job's priority changes while it is open.

#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "store/job.h"
#include "store/refusal.h"

namespace haul::rules {

// What the rule compares. The backend reads it in the transaction that will change the row.
struct PriorityFacts {
  bool is_open = false;
  int now = 0;     // Of the row.
  int wanted = 0;  // By the user.
};

// The backend sets the row to it and writes the note.
struct PriorityChange {
  int priority = 0;
  std::string_view note;  // The type of the event.
  std::string data;       // Of the event: JSON.
};

// Nothing to change if the job has this priority already.
std::expected<std::optional<PriorityChange>, Refusal> grant_priority(const PriorityFacts& facts);

// Why a job cannot have this priority. Nothing if it can.
std::optional<Refusal> check_priority(int priority);

// "expected -1 (low), 0 (normal) or 1 (high)".
inline constexpr std::string_view kPriorityExpected = "expected -1 (low), 0 (normal) or 1 (high)";

}  // namespace haul::rules

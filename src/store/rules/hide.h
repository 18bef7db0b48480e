#pragma once
// The rule of hidden jobs, as a pure function. A user hides an ended job by deleting it; the row
// and everything that refers to it stay.

#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "store/job.h"
#include "store/purges.h"
#include "store/refusal.h"

namespace haul::rules {

// What the rule compares. The backend reads it in the transaction that will change the row.
struct HideFacts {
  JobVersion version;
  bool is_hidden = false;
  OwnFiles files = OwnFiles::keep;
};

// The backend compares the row with HideFacts::version, hides it, and writes the note.
struct HideChange {
  std::string_view note;  // The type of the event.
  std::string data;       // Of the event: JSON with the state, by which counts follow.
};

// Nothing to change if the job is hidden already. Refused if its files shall be removed, and its
// lifecycle has none of its own.
std::expected<std::optional<HideChange>, Refusal> grant_hide(const HideFacts& facts);

// A move back to an open state shows a hidden job again. `version` is the job before that move.
HideChange shown_again(const JobVersion& version);

// The types of these events.
inline constexpr std::string_view kHidden = "HIDDEN";
inline constexpr std::string_view kShown = "SHOWN";

}  // namespace haul::rules

#pragma once
// The answer of a judge as a value: moves, a note, both or nothing. Judges do no I/O; they get the
// time and random numbers as arguments.

#include <optional>
#include <string>
#include <vector>

#include "store/job.h"

namespace haul {

struct Wish {
  On on = On::fail;
  std::string reason;
  std::string detail;
  std::optional<Millis> due_after;  // Default: now.
  GivenProof proof;
  std::optional<AssetFacts> asset;
  std::string result;
  By by = By::worker;
};

enum class Mark : std::uint8_t { keep, set, clear };  // What to do with missing_since.

struct Note {
  std::optional<Millis> look_after;
  std::optional<std::string> handle;
  std::optional<std::string> reason;  // Empty clears it.
  std::optional<std::string> detail;
  Mark mark = Mark::keep;
};

struct Verdict {
  std::vector<Wish> wishes;             // In order, in one transaction.
  std::optional<Note> note;             // With the moves or instead of them.
  std::optional<Millis> release_after;  // Release the lease, count no attempt, due after this.
  std::string release_reason;           // Why the lease is released.

  static Verdict stay() { return {}; }
};

}  // namespace haul

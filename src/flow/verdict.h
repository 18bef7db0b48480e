#pragma once
// What a judge wishes, as a value: moves, something to write down, or nothing. Judges do no I/O and
// know neither clock nor chance but what they are given.

#include <optional>
#include <string>
#include <vector>

#include "store/job.h"

namespace haul {

struct Wish {
  On on = On::fail;
  std::string reason;
  std::string detail;
  std::optional<Millis> due_after;  // None: now.
  GivenProof proof;
  std::optional<AssetFacts> asset;
  std::string result;
  By by = By::worker;
};

enum class Mark : std::uint8_t { keep, set, clear };  // Of missing_since.

struct Note {
  std::optional<Millis> look_after;
  std::optional<std::string> handle;
  std::optional<std::string> reason;  // Empty: there is none any more.
  std::optional<std::string> detail;
  Mark mark = Mark::keep;
};

struct Verdict {
  std::vector<Wish> wishes;             // In order, in one transaction.
  std::optional<Note> note;             // Beside or instead of them.
  std::optional<Millis> release_after;  // Give the lease back, burning no attempt, due then,
  std::string release_reason;           // because of this.

  static Verdict stay() { return {}; }
};

}  // namespace haul

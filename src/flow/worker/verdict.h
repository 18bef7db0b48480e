#pragma once
// The answer of a judge as a value: moves, an observation, both or nothing. Judges do no I/O; they
// get the time and random numbers as arguments.

#include <optional>
#include <string>
#include <vector>

#include "store/job.h"

namespace haul::flow {

// A move that the judge wants. The worker asks the store for it.
struct WantedMove {
  On on = On::fail;
  std::string reason;
  std::string detail;
  std::optional<Millis> due_after;  // Default: now.
  ShortList<Guard, 4> holds{};      // The guards that the judge has checked.
  GivenProof proof;
  std::vector<AssetFacts> assets;
  std::string result;
  By by = By::worker;
  std::optional<DeliveryFacts> delivery{};
  std::string audit{};   // What the audit entry says, if the move writes one. Default: the reason.
  bool refunds = false;  // Gives credits back that the move would spend (A4-2).
};

enum class Mark : std::uint8_t { keep, set, clear };  // What to do with missing_since.

enum class HeldWait : std::uint8_t { keep, begins, ends };  // A wait under the job's lease.

// What to write into the row of a job that stays in its state. Absent fields stay as they are.
struct Observed {
  std::optional<Millis> look_after;
  std::optional<std::string> handle;
  std::optional<std::string> reason;  // Empty clears it.
  std::optional<std::string> detail;
  Mark mark = Mark::keep;
  HeldWait wait = HeldWait::keep;
  bool unless_paused = false;  // Writes nothing if the job was paused meanwhile.
};

struct Verdict {
  std::vector<WantedMove> moves;        // In order, in one transaction.
  std::optional<Observed> observed;     // With the moves or instead of them.
  std::optional<Millis> release_after;  // Release the lease, count no attempt, due after this.
  std::string release_reason;           // Why the lease is released: a code.
  std::string release_detail;           // The same in prose.

  static Verdict stay() { return {}; }
};

}  // namespace haul::flow

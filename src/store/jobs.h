#pragma once
// Writing jobs. Every call is one transaction, flushed before it returns; a batch answers each
// entry in order. Calls wait for the writer, at most until the store's deadline.

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "store/job.h"

namespace haul {

struct ClaimAsk {
  const Lifecycle* lifecycle = nullptr;
  std::string lane;  // Empty: the lifecycle's name.
  WorkerId worker;
  std::size_t limit = 1;
  // Jobs of the lane that may be leased at once, by all workers together; 0: any number. A lane
  // with such a limit is a host's: one that asked to be left alone is not claimed from.
  std::size_t at_once = 0;
};

struct Claim {
  Seen seen;             // With the new fence.
  bool adopted = false;  // Taken over in its state, without a move.

  bool operator==(const Claim&) const = default;
};

struct AddedAndClaimed {
  std::vector<AddAnswer> added;
  std::vector<Claim> claimed;
};

// A lease given back in good order: it burns no attempt.
struct Release {
  Seen seen;
  WorkerId worker;
  std::string reason;
  std::optional<Time> due_at;  // None: now.
  std::string detail{};        // Of the reason, for people.
  IntentId pause;  // A wish to pause it: granted with the release, if it still stands by then.
};

// A worker that went silent, as it was last seen: if it has beaten since, nothing happens.
struct Silence {
  WorkerId worker;
  std::int64_t beat = 0;
  const Lifecycle* lifecycle = nullptr;
  std::size_t limit = 1000;
};

// How long a job waits after a loss, by its lifecycle and the attempts it has now.
using Waits = std::function<Millis(const Lifecycle&, int attempt)>;

struct Rescued {
  std::size_t moved = 0;    // By the state's on_lost answer.
  std::size_t adopted = 0;  // Left in their state, for the next worker.
  std::size_t failed = 0;   // The last attempt was spent.

  bool operator==(const Rescued&) const = default;
};

// What a look at a job learned without moving it. Absent fields stay as they are.
struct Observation {
  Seen seen;
  WorkerId worker;  // The holder, where leased.
  std::optional<Time> due_at;
  std::optional<std::string> engine;
  std::optional<std::string> handle;
  std::optional<std::string> reason;  // Empty: none any more.
  std::optional<std::string> detail;
  std::optional<std::optional<Time>> missing_since;  // Set to none: clear the mark.
};

class Jobs {
 public:
  virtual ~Jobs() = default;

  // Adds each, or finds the one its key or slot already has. Limit: 4,000 a call.
  virtual std::vector<AddAnswer> add(std::span<const NewJob> jobs, Time now) = 0;

  // Gives a client's key of many adds together to what came with it, known by its fingerprint (64
  // hexadecimal digits). False: something else came with it first.
  virtual bool take_key(UserId owner, const std::string& key, const std::string& fingerprint,
                        Time now) = 0;

  // Forgets up to `limit` such keys (at most 4,000) that came before `before`, oldest first; says
  // how many. The jobs keep keys of their own.
  virtual std::size_t prune_keys(Time before, std::size_t limit) = 0;

  // Leases up to `limit` due jobs of each lane: its owners in turn, of each owner the longest due
  // first; fence + 1 each. Limit: 4,000 over all asks.
  virtual std::vector<Claim> claim_all(std::span<const ClaimAsk> asks, Time now) = 0;
  std::vector<Claim> claim(const ClaimAsk& ask, Time now) { return claim_all({&ask, 1}, now); }

  // Both in one transaction. Claims from the lanes of the jobs that are added, up to the ask's
  // limit over all of them; its own lane does not count.
  virtual AddedAndClaimed add_and_claim(std::span<const NewJob> jobs, const ClaimAsk& ask,
                                        Time now) = 0;

  // Compare and set, with event and effects. Later asks of a batch see the earlier ones.
  virtual std::vector<MoveAnswer> move(std::span<const Ask> asks, Time now) = 0;

  // Gives leases back: by the state's release move, or unleased in place where it has none.
  virtual std::vector<MoveAnswer> release(std::span<const Release> releases, Time now) = 0;

  // Takes every job of a silent worker away from it, by the state's on_lost answer.
  virtual Rescued rescue(const Silence& silence, const Waits& waits, Time now) = 0;

  // Writes down what was seen; the state stays. False: the job no longer looks like that.
  virtual std::vector<bool> observe(std::span<const Observation> seen, Time now) = 0;

  // Makes open jobs due now that are due later than `latest`: after the clock was set back, what
  // was to wait a minute would wait as long as the clock was set. Says how many.
  virtual std::size_t recall(Time latest, Time now) = 0;

  // Keeps a job from being claimed, or lets it go on. Open jobs only; a leased one is refused.
  virtual MoveAnswer pause(const Seen& seen, Time now) = 0;
  // The same because somebody wished it, who is told by the wish: it is settled with it. A wish
  // that was taken back meanwhile is refused as stale.
  virtual MoveAnswer grant_pause(const Seen& seen, IntentId wish, Time now) = 0;
  virtual MoveAnswer resume(const Seen& seen, Time now) = 0;
};

}  // namespace haul

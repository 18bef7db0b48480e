#pragma once
// Writes jobs. Every call but recall() is one transaction, flushed before the call returns. A batch
// has one answer per entry, in order. Calls wait for their turn to write, at most until the store's
// deadline.

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "store/job.h"
#include "store/purges.h"

namespace haul {

// Why a job with this request, JSON, is not taken. Nothing if it is.
using RequestCheck = std::function<std::optional<Refusal>(std::string_view request)>;

// How many jobs of a lane all workers together may lease at once. Zero: no limit.
struct LaneLimits {
  std::size_t at_once = 0;
  std::size_t per_owner = 0;
};

struct ClaimRequest {
  const Lifecycle* lifecycle = nullptr;
  std::string lane;  // Default: the lifecycle's name.
  WorkerId worker;
  std::size_t limit = 1;
  // How many jobs of the lane all workers together may lease at once; 0 for no limit. Nothing is
  // claimed from a lane with a limit while the host of that name is blocked (Retry-After).
  std::size_t at_once = 0;
  std::size_t per_owner = 0;  // The same for the jobs of one owner.
  // Asked about a job that waits to be claimed. If it refuses, and the table has a way to reject
  // the job from there, the job is rejected instead, in the same transaction. Not set: takes all.
  RequestCheck refuses{};
};

struct Claim {
  JobVersion version;  // With the new fence.

  bool operator==(const Claim&) const = default;
};

struct AddedAndClaimed {
  std::vector<AddAnswer> added;
  std::vector<Claim> claimed;
};

// A worker gives its lease back. This counts no attempt.
struct Release {
  JobVersion version;
  WorkerId worker;
  std::string reason;
  std::optional<Time> due_at;  // Default: now.
  std::string detail{};        // Explains the reason to people.
  IntentId pause;  // If set and this intent is still open, the release also pauses the job.
};

// A silent worker and its last known beat. If the worker has beaten since, rescue() does nothing.
struct Silence {
  WorkerId worker;
  std::int64_t beat = 0;
  const Lifecycle* lifecycle = nullptr;
  std::size_t limit = 1000;
};

// A new number from 0 to 1 with each call, for the jitter of one job's wait.
using Chance = std::function<double()>;

struct Rescued {
  std::size_t moved = 0;    // By the state's on_lost answer.
  std::size_t adopted = 0;  // Left in their state; the next worker adopts them.
  std::size_t failed = 0;   // Failed, because this was their last attempt.

  bool operator==(const Rescued&) const = default;
};

// What a worker learned about a job that stays in its state. Absent fields stay as they are.
struct Observation {
  JobVersion version;
  WorkerId worker;  // The lease holder, if the job is leased.
  std::optional<Time> due_at;
  std::optional<std::string> engine;
  std::optional<std::string> handle;
  std::optional<std::string> reason;  // Empty clears it.
  std::optional<std::string> detail;
  std::optional<std::optional<Time>> missing_since;  // An inner nullopt clears the mark.
  // Whether a leased job waits in its state, so that its worker does nothing for it. A move and
  // another lease end the wait, too.
  std::optional<bool> waits{};
  bool unless_paused = false;  // Writes nothing if the job is paused.
};

class Jobs {
 public:
  virtual ~Jobs() = default;

  // Adds each job, or returns the job that already has its key or slot. Limit: 4,000 per call.
  virtual std::vector<AddAnswer> add(std::span<const NewJob> jobs, Time now) = 0;

  // Adds each job at its own time, and makes its moves at theirs, in one transaction. A job that is
  // there already gets no moves. Throws, and stores none of them, if the rules refuse a move.
  // Limit: 4,000 per call.
  virtual std::vector<AddAnswer> add_past(std::span<const PastJob> jobs) = 0;

  // Binds a caller's idempotency key for a list of jobs to the request that came with it, given as
  // a fingerprint (64 hexadecimal digits). False if the key already belongs to another request.
  virtual bool take_key(UserId owner, const std::string& key, const std::string& fingerprint,
                        Time now) = 0;

  // Removes up to `limit` such keys (at most 4,000) older than `before`, oldest first; returns how
  // many. The jobs keep their own keys.
  virtual std::size_t prune_keys(Time before, std::size_t limit) = 0;

  // Leases up to `limit` due jobs of each lane. The owners in a lane take turns; of an owner's jobs
  // those with the highest priority go first, and among equals the longest due. Each lease raises
  // the job's fence by 1. Limit: 4,000 over all requests.
  virtual std::vector<Claim> claim_all(std::span<const ClaimRequest> requests, Time now) = 0;
  std::vector<Claim> claim(const ClaimRequest& request, Time now) {
    return claim_all({&request, 1}, now);
  }

  // Adds and claims in one transaction. Claims from the lanes of the added jobs, up to the
  // request's limit over all of them; ignores the request's lane.
  virtual AddedAndClaimed add_and_claim(std::span<const NewJob> jobs, const ClaimRequest& request,
                                        Time now) = 0;

  // Compare and set, with event and effects. Later asks of a batch see what earlier ones wrote.
  virtual std::vector<MoveAnswer> move(std::span<const Ask> asks, Time now) = 0;

  // Gives leases back by the state's release move. Where the state has none, only removes the
  // lease.
  virtual std::vector<MoveAnswer> release(std::span<const Release> releases, Time now) = 0;

  // Takes the jobs of a silent worker away from it, each by its state's on_lost answer. A job whose
  // answer leads into a timed wait waits by its lifecycle's backoff. Without `chance` all are due
  // now. A job that waits (Observation::waits) and would be adopted loses no attempt and keeps its
  // reason.
  virtual Rescued rescue(const Silence& silence, const Chance& chance, Time now) = 0;

  // Writes observations; the state stays. False for a job that no longer has this version, or that
  // is paused, if the observation forbids that.
  virtual std::vector<bool> observe(std::span<const Observation> seen, Time now) = 0;

  // Makes open jobs due now that are due after `latest`; returns how many. Needed after the clock
  // was set back: a job that should wait a minute would otherwise wait as long as the clock was set
  // back.
  virtual std::size_t recall(Time latest, Time now) = 0;

  // Keeps a job from being claimed until resume(). Open jobs only; refused while leased.
  virtual MoveAnswer pause(const JobVersion& version, Time now) = 0;
  // The same for a user's pause intent, which is settled in the same transaction. Refused as stale
  // if the user has withdrawn the intent meanwhile.
  virtual MoveAnswer grant_pause(const JobVersion& version, IntentId wish, Time now) = 0;
  virtual MoveAnswer resume(const JobVersion& version, Time now) = 0;

  // Takes an ended job out of lists and counts, and keeps all else of it. A job that is hidden
  // already stays so. Refused while the job is open. A retry by a move shows it again.
  // OwnFiles::remove also begins a purge of its files (store/purges.h), and is refused for a
  // lifecycle that has none of its own.
  virtual MoveAnswer hide(const JobVersion& version, OwnFiles files, Time now) = 0;
  // Compares no version: whichever worker holds the job, its next claim follows the new priority.
  // Refused for an ended job, and for a priority out of range.
  virtual std::expected<void, Refusal> set_priority(JobId id, int priority, Time now) = 0;
};

}  // namespace haul

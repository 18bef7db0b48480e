#pragma once
// What users can do with jobs: cancel, pause, resume, retry and add.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "flow/hands.h"
#include "store/store.h"

namespace haul {

struct CancelAnswer {
  bool moved = false;   // The job is cancelled.
  bool wished = false;  // Recorded; the job is cancelled when its client or worker has stopped it.
  std::optional<Refusal> refusal;
};
CancelAnswer cancel(Store& store, JobId id, Time now);

struct PauseAnswer {
  bool done = false;
  bool wished = false;  // Recorded; the job is paused when its worker has stopped it.
  std::optional<Refusal> refusal;
};
// Keeps workers away from the job until it is resumed. What was fetched stays.
PauseAnswer pause(Store& store, JobId id, Time now);
// Ends a pause, or withdraws one that is recorded but not done yet.
PauseAnswer resume(Store& store, JobId id, Time now);

// Whether a user may ask for it once more: a failed film, a dead letter, and a batch that ended and
// did not bring all that was asked for.
bool can_retry(const Job& job, const Counts& counts);
// Media: failed goes back to queued. A batch and a dead letter answer with a new job that names the
// old one. That of a batch has the items which failed or were cancelled, where the old one had
// found all of its items and such items exist; else it lists anew.
std::expected<Added, Refusal> retry(Store& store, JobId id, Time now);

struct AddAsk {
  const Lifecycle* lifecycle = nullptr;
  UserId owner = kAdmin;
  std::string request;  // JSON, as the user sent it.
  std::string key;      // The client's own idempotency key, besides the lifecycle's; may be empty.
  std::int64_t price = 0;
  std::optional<Time> expires_at;
  bool paused = false;
};
// With `hands`, their worker claims the job in the same transaction, or one of its lane that was
// due before it.
std::expected<Added, Refusal> add(Store& store, const AddAsk& ask, Time now,
                                  Hands* hands = nullptr);

// The job that add() would write, or its refusal. Reads nothing from the store.
std::expected<NewJob, Refusal> as_job(const AddAsk& ask, Time now);
// Adds many jobs in one transaction. Answers in order, as if they were added one by one. With
// `hands`, their worker claims jobs of the first job's lifecycle.
std::vector<AddAnswer> add_jobs(Store& store, std::span<const NewJob> jobs, Time now,
                                Hands* hands = nullptr);

// A request as the store keeps it: canonical JSON with defaults. Logins move out of the addresses
// into a field of their own, because events and views show addresses (U38).
std::expected<std::string, Refusal> as_kept(const Lifecycle& lifecycle, const std::string& request);

}  // namespace haul

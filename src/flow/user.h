#pragma once
// What a user can ask of a job, whatever it is doing.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "flow/hands.h"
#include "store/store.h"

namespace haul {

struct CancelAnswer {
  bool moved = false;   // Done.
  bool wished = false;  // Written down; it is done when what runs outside has stopped.
  std::optional<Refusal> refusal;
};
CancelAnswer cancel(Store& store, JobId id, Time now);

struct PauseAnswer {
  bool done = false;
  bool wished = false;  // Written down; it is done when its worker has stopped what it does.
  std::optional<Refusal> refusal;
};
// Keeps it from being worked on, until it is resumed; what was fetched stays.
PauseAnswer pause(Store& store, JobId id, Time now);
// Lets it go on, also by taking back a wish to pause it.
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
  std::string request;  // JSON as it came.
  std::string key;      // The client's own idempotency key, beside the lifecycle's; empty: none.
  std::int64_t price = 0;
  std::optional<Time> expires_at;
  bool paused = false;
};
// With hands, one that is free takes it at once, or what was due before it.
std::expected<Added, Refusal> add(Store& store, const AddAsk& ask, Time now,
                                  Hands* hands = nullptr);

// What add writes down, or why it would not. Nothing is looked up.
std::expected<NewJob, Refusal> as_job(const AddAsk& ask, Time now);
// One answer each, in order, as if added one after the other, in one transaction. With hands, those
// that are free take jobs of the kind that comes first.
std::vector<AddAnswer> add_jobs(Store& store, std::span<const NewJob> jobs, Time now,
                                Hands* hands = nullptr);

// A request as the store keeps it: canonical, with its defaults, and with the logins of addresses
// apart from the addresses, which events and views show (U38).
std::expected<std::string, Refusal> as_kept(const Lifecycle& lifecycle, const std::string& request);

}  // namespace haul

#pragma once
// What users can do with jobs: cancel, pause, resume, delete, import by hand, retry, replace a
// link, and add.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "flow/worker/lifecycle_work.h"
#include "flow/worker/spare_capacity.h"
#include "store/store.h"

namespace haul::flow {

struct CancelAnswer {
  bool moved = false;   // The job is cancelled.
  bool wished = false;  // Recorded; the job is cancelled when its client or worker has stopped it.
  std::optional<Refusal> refusal;
};
CancelAnswer cancel(Store& store, JobId id, Time now);

enum class CancelWay : std::uint8_t {
  refused,
  move,  // At once.
  wish,  // A client or a worker must stop the job first.
};
CancelWay way_to_cancel(const Job& job);

struct PauseAnswer {
  bool done = false;
  bool wished = false;  // Recorded; the job is paused when its worker has stopped it.
  std::optional<Refusal> refusal;
};
// Keeps workers away from the job until it is resumed. What was fetched stays.
PauseAnswer pause(Store& store, JobId id, Time now);
// Ends a pause, or withdraws one that is recorded but not done yet.
PauseAnswer resume(Store& store, JobId id, Time now);

// Hides an ended job from lists and counts. Its row, keys, credits and audit entries stay, and its
// files unless they shall be removed, which a duty does soon after. Refused while the job is open.
std::expected<void, Refusal> hide(Store& store, JobId id, OwnFiles files, Time now);

// What haul would do with the files of a job if its user said this about them. Refused if its
// lifecycle imports no files, or if it is too late.
std::expected<ImportPreview, Refusal> preview_import(Store& store, JobId id,
                                                     std::span<const ByHand> said,
                                                     std::span<const LifecycleWork> work);
// Keeps what a user says about the files of a job, in place of what they said before, and ends the
// job's wait. Refused like a preview, and with the preview's problem, if it has one; a download
// whose files are not known yet takes every word that can be meant.
std::expected<void, Refusal> import_by_hand(Store& store, JobId id, std::span<const ByHand> said,
                                            Time now, std::span<const LifecycleWork> work);

// Whether a user may retry the job: a failed film or book, a dead letter, or a batch that ended
// without all of its items.
bool can_retry(const Job& job, const Counts& counts);
// Moves a failed film back to queued. For a batch, a book or a dead letter, adds a new job that
// names the old one. The new job of a batch has the items of the old one that failed or were
// cancelled. If there are none, or the old job had not found all of its items, the new job lists
// them again.
// Z-30: a new job is refused if `work` says that it cannot begin.
std::expected<Added, Refusal> retry(Store& store, JobId id, Time now,
                                    std::span<const LifecycleWork> work = {});

struct NewLink {
  std::int64_t item = 0;  // Its number in the job.
  std::string url;
  UserId asker{};  // Who asks, if it is not the owner.
};
// Adds a job that fetches an item, which ended without its file, from another link, and goes on
// with the bytes that are here if the new link has the same ones. The new job names the old one;
// its event LINK_REPLACED also names the item. The same link again is the same job while it is
// open. The URL is checked like that of any new job.
std::expected<Added, Refusal> replace_link(Store& store, const Job& job, const NewLink& link,
                                           Time now, std::span<const LifecycleWork> work);

struct AddRequest {
  const Lifecycle* lifecycle = nullptr;
  UserId owner = kAdmin;
  std::string request;  // JSON, as the user sent it.
  std::string key;      // The caller's own idempotency key, besides the lifecycle's; may be empty.
  std::int64_t price = 0;
  std::optional<Time> expires_at;
  bool paused = false;
  UserId asker{};                    // Who asks, if it is not the owner.
  std::optional<Time> not_before{};  // The job begins no earlier.
  int priority = 0;                  // kPriorityMin to kPriorityMax.
};
// With `spare`, the worker that lends it claims a job in the same transaction: this one, or one of
// its lane that was due earlier.
std::expected<Added, Refusal> add(Store& store, const AddRequest& to_add, Time now,
                                  SpareCapacity* spare = nullptr,
                                  std::span<const LifecycleWork> work = {});

// The job that add() would write, or its refusal. Reads nothing from the store. `work` says what a
// job costs, what it may ask for, how many may be open, and when one expires if the request does
// not say it. A lifecycle without an entry costs AddRequest::price.
std::expected<NewJob, Refusal> as_job(const AddRequest& to_add, Time now,
                                      std::span<const LifecycleWork> work = {});
// Adds many jobs in one transaction. Answers in order, as if they were added one by one. With
// `spare`, the worker that lends it claims jobs of the first job's lifecycle.
std::vector<AddAnswer> add_jobs(Store& store, std::span<const NewJob> jobs, Time now,
                                SpareCapacity* spare = nullptr);

// A request as the store keeps it: canonical JSON with defaults. Logins move out of the addresses
// into a field of their own, because events and views show addresses (U38).
std::expected<std::string, Refusal> as_kept(const Lifecycle& lifecycle, const std::string& request);

}  // namespace haul::flow

#pragma once
// The rules of an add, as pure functions.

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "store/job.h"

namespace haul::rules {

// What the store knows of the jobs and users that a new job names.
struct NewJobFacts {
  bool has_owner = false;    // The owner exists.
  bool has_retried = false;  // The job of NewJob::retry_of exists.
};
// The first reason why the job cannot be stored as it is: a size, a key, or a name that the store
// does not know.
std::optional<Refusal> check_new(const NewJob& job, const NewJobFacts& facts);

// Whether check_add() compares the owner's credits.
bool asks_credit(const NewJob& job);

// What is there already when a job is added.
struct AddUse {
  std::int64_t available = 0;  // Credits of its owner.
  std::size_t open = 0;        // Open jobs of its lifecycle and owner; counted up to the quota.
  std::size_t open_in_all = 0;
  // When the owner's job was added that must be a minute old before another fits into the quota:
  // the Quota::per_minute newest. Nothing if there are fewer.
  std::optional<Time> paced_at{};
};
// The first reason against the job: its own, a guard of the lifecycle, or a quota.
std::optional<Refusal> check_add(const NewJob& job, const AddUse& use, Time now = {});

// The category that the request names, which the store keeps beside it. Empty if it names none.
std::string category_of(const NewJob& job);

// What an add writes besides the row and its request.
struct NoteAdded {
  std::string_view type;  // Of the first event.
  std::string data;       // JSON; may be empty.
};
struct EnterBook {
  std::string book;
  std::string title;  // May be empty.
};
struct ReserveCredit {
  std::int64_t amount = 0;
};
struct AuditAdd {  // By the asker, who is not the owner.
  std::string detail;
};
using AddWrite = std::variant<NoteAdded, Note, EnterBook, ReserveCredit, AuditAdd>;

// In order, by the effects of the lifecycle's add.
std::vector<AddWrite> writes_of(const NewJob& job);

// A job that has a key already.
struct KeyedJob {
  JobId id;
  Time created_at;
  bool has_same_request = false;
};

// What a key of the caller belongs to already, if anything.
struct CallerKey {
  bool is_of_list = false;  // It came with a list of jobs.
  JobId job;                // It came with this job; zero if with none.
  std::string fingerprint;  // Of that job.
};

// Answers from the transaction that will add the job.
class KeyFacts {
 public:
  virtual ~KeyFacts() = default;

  // The job of the same lifecycle and owner that has this key.
  virtual std::optional<KeyedJob> find(const std::string& key) = 0;
  // The open job of the same lifecycle and owner that has this slot.
  virtual std::optional<JobId> find_slot(const std::string& slot) = 0;
  // The same owner's key.
  virtual CallerKey find_caller_key(const std::string& key) = 0;
};

// What a caller's key is bound to. Includes the lifecycle: the same fields can mean something else
// in another one.
std::string fingerprint_of(const NewJob& job);

// The answer to an add whose caller's key came before: its job, or a refusal if it came with
// another request or with a list. Nothing if the key is new, or if there is none.
std::optional<AddAnswer> find_by_caller_key(const NewJob& job, KeyFacts& facts);

// The answer to an add whose lifecycle's own key another job has: that job, or a refusal if it came
// with another request. If no job has the key, the open job that has the slot. Nothing if there is
// neither. With a window, three keys find a job: that of the current window, and those of the
// previous and the next one if their job is younger than one window. A retry across the edge of a
// window thus still finds the first job, also if the clock was set back over that edge.
std::optional<AddAnswer> find_existing(const NewJob& job, KeyFacts& facts, Time now);

}  // namespace haul::rules

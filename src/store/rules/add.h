#pragma once
// The rules of an add, as pure functions.

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "store/job.h"

namespace haul::rules {

// Whether check_add() compares the owner's credits.
bool asks_credit(const NewJob& job);
// The first guard of the lifecycle that refuses the job. `available` are its owner's credits.
std::optional<Refusal> check_add(const NewJob& job, std::int64_t available);

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
using AddWrite = std::variant<NoteAdded, EnterBook, ReserveCredit>;

// In order, by the effects of the lifecycle's add.
std::vector<AddWrite> writes_of(const NewJob& job);

// A job that has a key already.
struct KeyedJob {
  JobId id;
  Time created_at;
  bool has_same_request = false;
};

// Answers from the transaction that will add the job.
class KeyFacts {
 public:
  virtual ~KeyFacts() = default;

  // The job of the same lifecycle and owner that has this key.
  virtual std::optional<KeyedJob> find(const std::string& key) = 0;
};

// The answer to an add whose lifecycle's own key another job has: that job, or a refusal if it came
// with another request. Nothing if no job has the key. With a window, two keys find a job: that of
// the current window, and that of the previous one if its job is younger than one window. A retry
// across the edge of a window thus still finds the first job.
std::optional<AddAnswer> find_existing(const NewJob::Key& key, KeyFacts& facts, Time now);

}  // namespace haul::rules

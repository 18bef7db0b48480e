#pragma once
// Outside acts that are not safe to repeat. haul writes an intent before the act and settles it
// afterwards. Recovery reads open intents first.

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "store/items.h"
#include "store/job.h"

namespace haul {

// The kind of an intent to remove what an ended batch left on the disk. Effect::clear_parts writes
// it.
inline constexpr const char* kClearIntent = "clear";
// Users' wishes that wait until a worker or a client has stopped the job.
inline constexpr const char* kCancelIntent = "cancel";
inline constexpr const char* kPauseIntent = "pause";
// What a user said by hand about the files of a job. Open until a worker has read it; the newest
// one counts after that, too.
inline constexpr const char* kImportIntent = "import";
// A job was given to an outside client.
inline constexpr const char* kHandOverIntent = "hand_over";
// A listing of a batch that failed.
inline constexpr const char* kPlanIntent = "plan";

// of() reads no more intents of one job than this.
inline constexpr std::size_t kIntentsPerJob = 1'000;

enum class IntentState : std::uint8_t { open, done, failed, unknown };

struct Intent {
  IntentId id;
  JobId job;
  std::string kind;  // "chat_send", "cancel", …
  IntentState state = IntentState::open;
  std::string data;
  std::string outcome;
  Time created_at;

  bool operator==(const Intent&) const = default;
};

struct NewIntent {
  std::string kind;
  std::string data;
  bool unless_paused = false;  // For record(): refused while the job is paused.
};

// What a user wants of a job from now on, in place of what they wanted before.
struct NewWish {
  std::string kind;
  std::string data;        // JSON.
  std::string_view note;   // The type of the event that tells of it.
  std::string note_data;   // The data of that event, JSON.
  bool makes_due = false;  // The job is due now, whatever it waits for.
};

// Whether an intent of this kind is an act whose outcome is unknown if its answer is lost. The
// others are wishes of users, haul's own notes, and what is safe to repeat.
bool is_act(std::string_view kind);

class Intents {
 public:
  virtual ~Intents() = default;

  // Writes a worker's intent, if the worker still holds the lease. Returns the job's open intent of
  // the same kind instead, if there is one.
  virtual std::expected<Intent, Refusal> begin(const Hold& hold, const NewIntent& intent,
                                               Time now) = 0;
  // The same for a user or the sweeper, who hold no lease. The job must be open.
  virtual std::expected<Intent, Refusal> record(JobId job, const NewIntent& intent, Time now) = 0;
  // Writes a user's wish as an intent, and an event, if the job is still in the state and at the
  // move that the user saw. Settles an open intent of the same kind as failed: `replaced`. Earlier
  // ones of this kind lose their data.
  virtual std::expected<Intent, Refusal> wish(const JobVersion& version, const NewWish& wish,
                                              Time now) = 0;
  // Settles an open intent. False if it was settled before; it then stays as it is.
  virtual bool settle(IntentId intent, IntentState state, const std::string& outcome, Time now) = 0;
  // The first of each job, at most `limit` each, oldest first, in the order of `jobs`.
  virtual std::vector<std::vector<Intent>> of(std::span<const JobId> jobs,
                                              std::size_t limit = kIntentsPerJob) = 0;
  std::vector<Intent> of(JobId job, std::size_t limit = kIntentsPerJob) {
    return std::move(of({&job, 1}, limit).front());
  }
  // The last one of this kind, settled or not, however many the job has.
  virtual std::optional<Intent> newest(JobId job, std::string_view kind) = 0;
  // The open ones of each job, in the order of `jobs`, sorted by kind: at most one of a kind.
  virtual std::vector<std::vector<Intent>> open_of(std::span<const JobId> jobs) = 0;
  std::vector<Intent> open_of(JobId job) { return std::move(open_of({&job, 1}).front()); }
  std::optional<Intent> find_open(JobId job, std::string_view kind);
  // The first ones of each job and all that are open, which may be later ones.
  std::vector<std::vector<Intent>> first_and_open(std::span<const JobId> jobs);
  // Open ones of a kind after this one, oldest first, without their data.
  virtual std::vector<Intent> open(const std::string& kind, std::size_t limit,
                                   IntentId after = {}) = 0;
};

}  // namespace haul

#pragma once
// Explains from stored data why a job is in its state: what holds it back, what happens next and
// when, and what a user can do. The CLI, the API and the web page show the same value.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/speed_schedule.h"
#include "flow/worker/lifecycle_work.h"
#include "flow/worker/settings.h"
#include "store/store.h"

namespace haul::flow {

// Why::code of a job whose user asked for a later begin.
inline constexpr const char* kScheduled = "scheduled";

struct Why {
  JobId job;
  std::string lifecycle;
  std::string state;
  Time since;                        // When the job entered this state.
  std::optional<Time> seen_at;       // When the last sight came.
  std::string code;                  // What holds it back: a stable word.
  std::string because;               // The same as a sentence.
  std::string reason;                // Code of the last fault, if any.
  std::string detail;                // That fault in prose.
  std::string next;                  // What happens next.
  std::optional<Time> next_at;       // When that happens, if known.
  std::vector<JobId> holders;        // Other jobs that use the slots it waits for, some of them.
  bool stuck = false;                // In this state for longer than it allows.
  std::vector<std::string> allowed;  // cancel, retry, pause, resume, delete

  bool operator==(const Why&) const = default;
};

// A host that a batch may wait for.
struct HostFacts {
  std::string host;  // Empty if there is none.
  HostUse use;
  std::size_t running = 0;       // Running jobs of its lane.
  std::vector<JobId> holders{};  // The first of these, without the job itself.
};

// Items of a running batch that failed and wait for another try.
struct RetryFacts {
  std::int64_t items = 0;
  std::string name{};  // Of the one whose try comes first.
  std::string reason{};
  std::optional<Time> at{};
};

// What only the running worker knows of a job. Empty if it is unknown.
struct LiveFacts {
  bool is_known = false;
  std::string waits_for{};   // The host that all its items wait for.
  std::string still_item{};  // The item that has received no byte for the longest time.
  Millis still_for{0};
  std::string last_item{};  // The only item that is left.
  double speed = 0;         // Bytes per second of all jobs together.
  SpeedNow speed_limit{};   // What they may use.
};

// How many jobs of its lifecycle run, if their number is limited.
struct LimitFacts {
  LaneLimits most;  // 0: no limit.
  LimitNames names;
  std::vector<JobId> running{};           // All that run.
  std::vector<JobId> running_of_owner{};  // Those of the job's owner.
};

// All facts that the explanation needs.
struct WhyFacts {
  Job job;
  Time now;
  std::vector<Intent> intents;
  Counts counts;
  std::optional<WorkerRow> worker;  // The lease holder, if leased.
  bool is_restored = false;         // The store was restored and no admin has cleared it yet.
  HostFacts lane;                   // For a waiting batch: its own host.
  HostFacts gate;      // For a running batch: another host that has no slot for its items now.
  LimitFacts limits;   // For a waiting job without a host.
  bool moves = false;  // An item of a batch is being downloaded.
  RetryFacts retry{};
  LiveFacts live{};
  std::string not_ready{};                  // Z-30: what its lifecycle lacks. Empty if it is ready.
  std::optional<ServiceHold::Told> hold{};  // The service that its lifecycle needs refuses haul.
  std::string own_pause{};                  // Why haul itself paused it, if it did last.
};

Why explain(const WhyFacts& facts, const Settings& settings);

// Reads the facts and explains them; nothing if there is no such job. `work` says what lifecycles
// lack; without it, they lack nothing.
std::optional<Why> explain(Store& store, JobId id, Time now, const Settings& settings,
                           std::span<const LifecycleWork> work = {}, const LiveFacts& live = {});

// "jobs 3, 4"
std::string holders_text(std::span<const JobId> holders);

// A few lines for a terminal. Text from outside is escaped.
std::string to_text(const Why& why, Time now);

}  // namespace haul::flow

#pragma once
// Reading jobs. Nothing here waits for the writer; every list has a limit.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "store/job.h"
#include "store/outcome.h"

namespace haul {

inline constexpr std::size_t kListMax = 1000;

struct JobFilter {
  std::string lifecycle;  // Empty: any.
  std::string state;      // Empty: any; ignores case.
  std::optional<End> end;
  std::optional<Outcome> outcome;  // Of ended jobs.
  UserId owner;                    // Zero: any.
  std::string q;                   // Digits: this job; else what Needle finds. Empty: any.
  std::optional<Time> stuck_at;    // Only those stuck at this time, by the lifecycle tables.
  JobId before;                    // Keyset: ids smaller than this; zero: from the newest.
  std::size_t limit = 20;
};

// What few jobs have is looked for in a bounded number of them: a page may be short, or empty, and
// still have a next one.
struct JobPage {
  std::vector<Job> jobs;  // Newest first.
  JobId next;             // Pass as `before`; zero: no more.
};

struct StateCount {
  const Lifecycle* lifecycle = nullptr;
  std::string_view state;  // Points into the lifecycle's table.
  std::int64_t jobs = 0;

  bool operator==(const StateCount&) const = default;
};

struct Loaded {
  Job job;
  std::string request;
};

// Lanes with something due, from the one after a lane round to that lane again. A look is bounded:
// it may end before it has seen them all.
struct LanePage {
  std::vector<std::string> lanes;
  std::string next;  // Pass as `after`; empty: all were seen.
};

struct StuckRule {
  std::string lifecycle;
  std::string state;
  std::chrono::seconds after{0};
};

class Reader {
 public:
  virtual ~Reader() = default;

  virtual std::optional<Job> find(JobId id) = 0;
  virtual std::optional<std::string> request(JobId id) = 0;
  // Many at once, with their requests, in the order asked; those that do not exist are left out.
  virtual std::vector<Loaded> load(std::span<const JobId> ids) = 0;
  virtual JobPage list(const JobFilter& filter) = 0;

  // How many jobs are in each state that has any, in the order of the tables: of an owner, or with
  // zero of all. The first call counts them, later ones what has happened since.
  virtual std::vector<StateCount> tally(UserId owner) = 0;

  // Open, unleased, not paused, due, in one of these states (none: any): longest due first.
  virtual std::vector<Job> due(const std::string& lane, Time now, std::size_t limit,
                               std::span<const std::string_view> states = {}) = 0;

  // Lanes that have anything due; one with very many owners may be named although nothing is due.
  virtual LanePage lanes(const std::string& after, Time now, std::size_t limit) = 0;
  // How many jobs of a lane are leased.
  virtual std::size_t running(const std::string& lane) = 0;
  // The next time anything is due at all.
  virtual std::optional<Time> next_due() = 0;

  // Open jobs whose expires_at has passed, oldest first.
  virtual std::vector<Job> expired(Time now, std::size_t limit) = 0;

  // Jobs that have been in a state for longer than its rule allows, longest first.
  // Of this owner; zero: of anybody.
  virtual std::vector<Job> stuck(std::span<const StuckRule> rules, Time now, std::size_t limit,
                                 UserId owner = {}) = 0;

  // What a worker holds.
  virtual std::vector<Job> leased(WorkerId worker, std::size_t limit) = 0;
};

// The thresholds of the lifecycle tables.
std::vector<StuckRule> default_stuck_rules();

}  // namespace haul

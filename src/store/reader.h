#pragma once
// Reads jobs. No call waits for the writer; every list has a limit. A read of many jobs by id is
// one call, whatever their number: over a network each call is a round trip. Its answers are in the
// order of the ids, an id that comes twice has two answers, and without ids it reads nothing.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "store/job.h"
#include "store/outcome.h"
#include "store/sort.h"
#include "store/stuck.h"

namespace haul {

inline constexpr std::size_t kListMax = 1000;

// Jobs that their users have deleted match no filter.
struct JobFilter {
  std::string lifecycle;  // Empty for any.
  std::string state;      // Empty for any; ignores case.
  std::optional<End> end;
  std::optional<Outcome> outcome;  // Only ended jobs have one.
  UserId owner;                    // Zero for any.
  std::string reason{};            // Code of the last fault; empty for any.
  std::string category{};          // Empty for any.
  std::string q;                 // Digits find that job; Needle matches other text. Empty for any.
  std::optional<Time> stuck_at;  // Only jobs stuck at this time.
  std::optional<std::vector<StuckRule>> stuck_rules{};  // Nothing: default_stuck_rules().
  JobId before;  // Keyset: only ids below this; zero starts at the newest.
  std::size_t limit = 20;
  JobSort sort = JobSort::created;
  std::int64_t before_key = 0;  // Unless sorted by creation: JobPage::next_key, with `before`.
};

// A page reads a bounded number of jobs. If few of them match the filter, it can be short or empty
// and still have a next page.
struct JobPage {
  std::vector<Job> jobs;      // In the order of JobFilter::sort.
  JobId next;                 // Pass as `before`; zero on the last page.
  std::int64_t next_key = 0;  // Pass as `before_key`.
  std::int64_t searched = 0;  // Jobs whose requests were searched for this page.
};

// Selects failed jobs whose reasons are counted.
struct ReasonFilter {
  std::string lifecycle;  // Empty for any.
  std::string state;      // Empty for any; ignores case.
  UserId owner;           // Zero for any.
  std::size_t limit = 100;
};
struct ReasonTally {
  std::string reason;  // Empty for jobs without one.
  std::int64_t jobs = 0;

  bool operator==(const ReasonTally&) const = default;
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

// Lanes with due jobs, in order of name, from the one after a given lane round to that lane. The
// search is bounded: it may stop before it has read all lanes.
struct LanePage {
  std::vector<std::string> lanes;
  std::string next;  // Pass as `after`; empty if all lanes were read.
};

class Reader {
 public:
  virtual ~Reader() = default;

  // One answer per id; nothing for a job that does not exist.
  virtual std::vector<std::optional<Job>> find(std::span<const JobId> ids) = 0;
  std::optional<Job> find(JobId id) { return std::move(find({&id, 1}).front()); }
  virtual std::vector<std::optional<std::string>> requests(std::span<const JobId> ids) = 0;
  std::optional<std::string> request(JobId id) { return std::move(requests({&id, 1}).front()); }
  // Jobs with their requests. Leaves out jobs that do not exist.
  virtual std::vector<Loaded> load(std::span<const JobId> ids) = 0;
  virtual JobPage list(const JobFilter& filter) = 0;
  // The job that was added with this key and has it for good (KeyScope::forever or window). Zero if
  // there is none.
  virtual JobId keyed(const Lifecycle& lifecycle, UserId owner, const std::string& key) = 0;

  // The reasons of failed jobs, the most frequent first. Reads at most the newest 100,000 failed
  // jobs of each lifecycle.
  virtual std::vector<ReasonTally> reasons(const ReasonFilter& filter) = 0;

  // The number of jobs in each state that has any, in the order of the tables. Zero for all owners.
  // The first call counts all jobs; later calls add what has happened since.
  virtual std::vector<StateCount> tally(UserId owner) = 0;

  // Jobs of a lane that are open, unleased, not paused, due, and in one of `states` (empty for
  // any); longest due first.
  virtual std::vector<Job> due(const std::string& lane, Time now, std::size_t limit,
                               std::span<const std::string_view> states = {}) = 0;

  // Lanes with due jobs. May include a lane with very many owners although it has nothing due.
  virtual LanePage lanes(const std::string& after, Time now, std::size_t limit) = 0;
  // How many jobs of a lane are leased.
  virtual std::size_t running(const std::string& lane) = 0;
  // The first of these jobs, by id.
  virtual std::vector<Job> running(const std::string& lane, std::size_t limit) = 0;
  // The earliest due time of all lanes.
  virtual std::optional<Time> next_due() = 0;

  // Open jobs whose expires_at has passed, oldest first.
  virtual std::vector<Job> expired(Time now, std::size_t limit) = 0;

  // Jobs that have been in a state for longer than its rule allows, longest first. Zero for any
  // owner.
  virtual std::vector<Job> stuck(std::span<const StuckRule> rules, Time now, std::size_t limit,
                                 UserId owner = {}) = 0;

  // The jobs that a worker holds with ids above `after`, by id. Zero starts at the first.
  virtual std::vector<Job> leased(WorkerId worker, JobId after, std::size_t limit) = 0;
};

}  // namespace haul

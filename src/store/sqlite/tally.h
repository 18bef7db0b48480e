#pragma once
// How many jobs are in each state, kept up to date from the events of this file: counting a million
// jobs each time somebody looks would take longer than everything else a page shows.

#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "store/reader.h"
#include "store/sqlite/db.h"

namespace haul::sqlite {

class Tally {
 public:
  // Of one owner's jobs; zero: of all.
  explicit Tally(UserId owner) : owner_{owner} {}

  std::vector<StateCount> count(Connection& db);

 private:
  using Key = std::pair<const Lifecycle*, std::string_view>;  // The name in the lifecycle's table.
  // As of one moment: the newest job and event that are in the counts.
  struct Counts {
    std::map<Key, std::int64_t> jobs;
    std::int64_t newest_job = 0;
    std::int64_t newest_event = 0;
  };

  Counts count_all(Connection& db) const;
  void add_new_jobs(Connection& db, Counts& counts) const;
  bool follow_events(Connection& db, Counts& counts) const;
  bool follow(Connection& db, Counts& counts) const;

  const UserId owner_;
  Mutex mutex_;
  Counts counts_ GUARDED_BY(mutex_);
};

// One for all jobs, and one for each owner who has looked.
class Tallies {
 public:
  std::vector<StateCount> count(Connection& db, UserId owner);

 private:
  Mutex mutex_;
  std::map<UserId, Tally> kept_ GUARDED_BY(mutex_);  // Each stays where it is.
};

}  // namespace haul::sqlite

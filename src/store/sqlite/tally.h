#pragma once
// Counts the jobs in each state. Keeps the counts in memory and updates them from the events:
// counting a million jobs for each request would take longer than everything else a page shows.

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
  // Counts the jobs of one owner; zero for all owners.
  explicit Tally(UserId owner) : owner_{owner} {}

  std::vector<StateCount> count(Connection& db);

 private:
  using Key = std::pair<const Lifecycle*, std::string_view>;  // Points into the lifecycle's table.
  // Counts at one point in time, with the newest job and event in them.
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

// One tally for all jobs, and one for each owner whose counts were asked for.
class Tallies {
 public:
  std::vector<StateCount> count(Connection& db, UserId owner);

 private:
  Mutex mutex_;
  std::map<UserId, Tally> kept_ GUARDED_BY(mutex_);  // A map, so that entries never move.
};

}  // namespace haul::sqlite

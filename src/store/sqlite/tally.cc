#include "store/sqlite/tally.h"

#include <algorithm>

#include "lifecycle/tables.h"
#include "store/sqlite/rows.h"

namespace haul::sqlite {
namespace {

constexpr const char* kNewestJob = "SELECT coalesce(max(id), 0) FROM jobs";
constexpr const char* kNewestEvent = "SELECT coalesce(max(id), 0) FROM events";

// Uses the primary key. Without GROUP BY, which would sort all jobs.
constexpr const char* kStates = R"(
SELECT lifecycle, state
  FROM jobs
 WHERE ?1 = 0 AND hidden_at IS NULL)";

// Uses index jobs_owner.
constexpr const char* kStatesOf = R"(
SELECT lifecycle, state
  FROM jobs INDEXED BY jobs_owner
 WHERE owner = ?1 AND hidden_at IS NULL)";

// Uses the primary key.
constexpr const char* kNewJobs = R"(
SELECT lifecycle
  FROM jobs NOT INDEXED
 WHERE id > ?1 AND (?2 = 0 OR owner = ?2))";

// Uses the primary keys of both tables. A job that is hidden leaves its state, as if it moved to
// nowhere; one that is shown again comes back to it.
constexpr const char* kNewMoves = R"(
SELECT e.n = 0 OR e.type = 'HIDDEN' OR e.type = 'SHOWN', j.lifecycle,
       iif(e.type = 'HIDDEN', json_extract(e.data, '$.state'), e.from_state),
       iif(e.type = 'SHOWN', json_extract(e.data, '$.state'), e.to_state), j.owner
  FROM events e CROSS JOIN jobs j ON j.id = e.job
 WHERE e.id > ?1)";

constexpr std::size_t kOwnersMax = 256;      // Owners with a tally; others are counted each time.
constexpr std::int64_t kFollowMax = 10'000;  // Events; with more, an owner is counted again.

}  // namespace

std::vector<StateCount> Tallies::count(Connection& db, UserId owner) {
  Tally* kept = nullptr;
  {
    const Lock lock{mutex_};
    const bool has_room = kept_.contains(owner) || kept_.size() <= kOwnersMax;
    if (has_room) kept = &kept_.try_emplace(owner, owner).first->second;
  }
  return kept ? kept->count(db) : Tally{owner}.count(db);
}

std::vector<StateCount> Tally::count(Connection& db) {
  Counts counts;
  {
    const Lock lock{mutex_};
    counts = counts_;
  }
  {
    const Snapshot snapshot{db};
    if (!follow(db, counts)) counts = count_all(db);
  }
  std::vector<StateCount> answer;
  for (const Lifecycle* table : all_lifecycles())
    for (const State& state : table->states)
      if (const auto found = counts.jobs.find({table, state.name});
          found != counts.jobs.end() && found->second > 0)
        answer.push_back({table, state.name, found->second});
  const Lock lock{mutex_};
  if (counts.newest_event >= counts_.newest_event) counts_ = std::move(counts);
  return answer;
}

Tally::Counts Tally::count_all(Connection& db) const {
  Counts counts{
      .jobs = {}, .newest_job = db.number(kNewestJob), .newest_event = db.number(kNewestEvent)};
  Query rows{db, owner_ ? kStatesOf : kStates, {owner_}};
  std::string lifecycle;
  std::string state;
  std::int64_t* count = nullptr;
  while (rows.step()) {
    // Adjacent rows mostly have the same state, which saves the lookup.
    if (count == nullptr || rows.text(0) != lifecycle || rows.text(1) != state) {
      lifecycle = rows.text(0);
      state = rows.text(1);
      const Lifecycle& table = lifecycle_named(lifecycle);
      count = &counts.jobs[{&table, state_named(table, state)}];
    }
    ++*count;
  }
  return counts;
}

// Brings the counts up to date from the events since. False if a new count is needed or cheaper.
bool Tally::follow(Connection& db, Counts& counts) const {
  if (counts.newest_event == 0) return false;
  const std::int64_t events = db.number(kNewestEvent) - counts.newest_event;
  const std::int64_t most = owner_ ? kFollowMax : std::max(counts.newest_job, kFollowMax);
  if (events > most) return false;
  add_new_jobs(db, counts);
  if (!follow_events(db, counts)) return false;
  return std::ranges::all_of(counts.jobs, [](const auto& count) { return count.second >= 0; });
}

void Tally::add_new_jobs(Connection& db, Counts& counts) const {
  Query rows{db, kNewJobs, {counts.newest_job, owner_}};
  while (rows.step()) {
    const Lifecycle& table = lifecycle_named(rows.text(0));
    ++counts.jobs[{&table, table.initial().name}];
  }
  counts.newest_job = db.number(kNewestJob);
}

// Event ids have gaps only where events were pruned. False if there is a gap.
bool Tally::follow_events(Connection& db, Counts& counts) const {
  const std::int64_t newest = db.number(kNewestEvent);
  std::int64_t missing = newest - counts.newest_event;
  Query rows{db, kNewMoves, {counts.newest_event}};
  for (; rows.step(); --missing) {
    const bool is_ours = !owner_ || rows.integer(4) == owner_.value;
    if (!rows.flag(0) || !is_ours) continue;
    const Lifecycle& table = lifecycle_named(rows.text(1));
    if (!rows.text(2).empty()) --counts.jobs[{&table, state_named(table, rows.text(2))}];
    if (!rows.text(3).empty()) ++counts.jobs[{&table, state_named(table, rows.text(3))}];
  }
  counts.newest_event = newest;
  return missing == 0;
}

}  // namespace haul::sqlite

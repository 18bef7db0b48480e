#include "store/reader.h"

#include <algorithm>

#include "lifecycle/tables.h"
#include "store/sqlite/list.h"
#include "store/sqlite/parts.h"
#include "store/sqlite/rows.h"
#include "store/sqlite/tally.h"

namespace haul {

std::vector<StuckRule> default_stuck_rules() {
  std::vector<StuckRule> rules;
  for (const Lifecycle* table : all_lifecycles())
    for (const State& state : table->states)
      if (state.stuck_after.count() > 0)
        rules.push_back({std::string{table->name}, std::string{state.name}, state.stuck_after});
  return rules;
}

namespace sqlite {
namespace {

constexpr const char* kFind = "SELECT * FROM jobs WHERE id = ?1";
constexpr const char* kBody = "SELECT body FROM requests WHERE job = ?1";

constexpr const char* kDue = R"(
SELECT *
  FROM jobs INDEXED BY jobs_due
 WHERE lane = ?1 AND due_at <= ?2 AND "end" = 'open' AND worker IS NULL AND paused = 0
   AND (?4 = '' OR instr(?4, ',' || state || ',') > 0)
 ORDER BY due_at
 LIMIT ?3)";

// Hops from lane to lane along jobs_due instead of reading every due row.
constexpr const char* kLanes = R"(
WITH RECURSIVE hop (lane) AS (
  SELECT min(lane)
    FROM jobs INDEXED BY jobs_due
   WHERE "end" = 'open' AND worker IS NULL AND paused = 0
  UNION ALL
  SELECT (SELECT min(lane)
            FROM jobs INDEXED BY jobs_due
           WHERE lane > hop.lane AND "end" = 'open' AND worker IS NULL AND paused = 0)
    FROM hop
   WHERE hop.lane IS NOT NULL)
SELECT lane, (SELECT min(due_at)
                FROM jobs INDEXED BY jobs_due
               WHERE jobs.lane = hop.lane AND "end" = 'open' AND worker IS NULL AND paused = 0)
  FROM hop
 WHERE lane IS NOT NULL
 ORDER BY lane
 LIMIT ?1)";

constexpr const char* kExpired = R"(
SELECT *
  FROM jobs INDEXED BY jobs_expiry
 WHERE expires_at <= ?1 AND expires_at IS NOT NULL AND "end" = 'open'
 ORDER BY expires_at
 LIMIT ?2)";

// Rides jobs_open, from the longest unmoved. Strictly older than the threshold, as the document has
// it.
constexpr const char* kStuck = R"(
SELECT *
  FROM jobs INDEXED BY jobs_open
 WHERE moved_at < ?3 AND "end" = 'open' AND lifecycle = ?1 AND state = ?2
   AND (?5 = 0 OR owner = ?5)
 ORDER BY moved_at
 LIMIT ?4)";

constexpr const char* kLeased = R"(
SELECT *
  FROM jobs INDEXED BY jobs_leased
 WHERE worker = ?1
 ORDER BY id
 LIMIT ?2)";

constexpr std::size_t kLanesMax = 10'000;

std::vector<Job> read_jobs(Query& rows) {
  std::vector<Job> jobs;
  while (rows.step()) jobs.push_back(read_job(rows));
  return jobs;
}

class SqliteReader final : public Reader {
 public:
  explicit SqliteReader(Database& database) : database_{database} {}

  std::optional<Job> find(JobId id) override {
    std::vector<Job> jobs = select(kFind, {id});
    if (jobs.empty()) return std::nullopt;
    return std::move(jobs.front());
  }

  std::optional<std::string> request(JobId id) override {
    std::optional<std::string> body;
    database_.read([&](Connection& db) {
      Query row{db, kBody, {id}};
      if (row.step()) body = row.string(0);
    });
    return body;
  }

  std::vector<Loaded> load(std::span<const JobId> ids) override {
    std::vector<Loaded> loaded;
    loaded.reserve(ids.size());
    database_.read([&](Connection& db) {
      const Snapshot snapshot{db};  // Once for all: taking one costs more than reading a job.
      for (const JobId id : ids) {
        Query row{db, kFind, {id}};
        Query body{db, kBody, {id}};
        if (row.step() && body.step()) loaded.push_back({read_job(row), body.string(0)});
      }
    });
    return loaded;
  }

  JobPage list(const JobFilter& filter) override {
    JobPage page;
    database_.read([&](Connection& db) { page = list_jobs(db, filter); });
    return page;
  }

  std::vector<StateCount> tally(UserId owner) override {
    std::vector<StateCount> counts;
    database_.read([&](Connection& db) { counts = tallies_.count(db, owner); });
    return counts;
  }

  std::vector<Job> due(const std::string& lane, Time now, std::size_t limit,
                       std::span<const std::string_view> states) override {
    std::string list;  // ",queued,downloading,": found in it is one of them.
    for (const std::string_view state : states)
      list.append(list.empty() ? "," : "").append(state).append(",");
    return select(kDue, {lane, now, std::min(limit, kListMax), list});
  }

  std::vector<std::string> lanes(Time now, std::size_t limit) override {
    std::vector<std::string> due_lanes;
    each_lane([&](std::string_view lane, Time next) {
      if (next <= now && due_lanes.size() < limit) due_lanes.emplace_back(lane);
    });
    return due_lanes;
  }

  std::optional<Time> next_due() override {
    std::optional<Time> first;
    each_lane([&](std::string_view, Time next) { first = first ? std::min(*first, next) : next; });
    return first;
  }

  std::vector<Job> expired(Time now, std::size_t limit) override {
    return select(kExpired, {now, std::min(limit, kListMax)});
  }

  std::vector<Job> stuck(std::span<const StuckRule> rules, Time now, std::size_t limit,
                         UserId owner) override {
    limit = std::min(limit, kListMax);
    std::vector<Job> found;
    for (const StuckRule& rule : rules)
      std::ranges::move(
          select(kStuck, {rule.lifecycle, rule.state, now - rule.after, limit, owner}),
          std::back_inserter(found));
    std::ranges::sort(found, {}, &Job::moved_at);
    if (found.size() > limit) found.resize(limit);
    return found;
  }

  std::vector<Job> leased(WorkerId worker, std::size_t limit) override {
    return select(kLeased, {worker, std::min(limit, kListMax)});
  }

 private:
  std::vector<Job> select(const char* sql, std::initializer_list<Value> values) {
    std::vector<Job> jobs;
    database_.read([&](Connection& db) {
      Query rows{db, sql, values};
      jobs = read_jobs(rows);
    });
    return jobs;
  }

  void each_lane(const std::function<void(std::string_view, Time)>& visit) {
    database_.read([&](Connection& db) {
      Query rows{db, kLanes, {kLanesMax}};
      while (rows.step()) visit(rows.text(0), rows.time(1));
    });
  }

  Database& database_;
  Tallies tallies_;
};

}  // namespace

std::unique_ptr<Reader> make_reader(Database& database) {
  return std::make_unique<SqliteReader>(database);
}

}  // namespace sqlite
}  // namespace haul

// Implements Reader on SQLite. Pages and counts of jobs have their own files.

#include "store/reader.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "base/ensure.h"
#include "store/sqlite/list.h"
#include "store/sqlite/parts.h"
#include "store/sqlite/reasons.h"
#include "store/sqlite/rows.h"
#include "store/sqlite/tally.h"

namespace haul::sqlite {
namespace {

constexpr const char* kFind = "SELECT * FROM jobs WHERE id = ?1";
constexpr const char* kBody = "SELECT body FROM requests WHERE job = ?1";

// Uses index jobs_key.
constexpr const char* kKeyed = R"(
SELECT id
  FROM jobs
 WHERE lifecycle = ?1 AND owner = ?2 AND key = ?3 AND key_scope IN ('forever', 'window'))";

constexpr const char* kDue = R"(
SELECT *
  FROM jobs INDEXED BY jobs_due
 WHERE lane = ?1 AND owner = ?5 AND priority = ?6 AND due_at <= ?2 AND "end" = 'open'
   AND worker IS NULL AND paused = 0 AND (?4 = '' OR instr(?4, ',' || state || ',') > 0)
 ORDER BY due_at
 LIMIT ?3)";

// The next owner within a lane, or the first owner of the next lane, with the first due time of its
// lowest priority. One step along index jobs_due for each, instead of a read of every row.
constexpr const char* kHop = R"(
SELECT lane, owner, priority, due_at
  FROM jobs INDEXED BY jobs_due
 WHERE (lane, owner) > (?1, ?2) AND "end" = 'open' AND worker IS NULL AND paused = 0
 ORDER BY lane, owner, priority, due_at
 LIMIT 1)";
constexpr const char* kFirstDue = R"(
SELECT min(due_at)
  FROM jobs INDEXED BY jobs_due
 WHERE lane = ?1 AND owner = ?2 AND priority = ?3 AND "end" = 'open' AND worker IS NULL
   AND paused = 0)";

constexpr const char* kRunning = R"(
SELECT count(*)
  FROM jobs INDEXED BY jobs_leased
 WHERE lane = ?1 AND worker IS NOT NULL)";

// Uses index jobs_leased. At most `per_host` jobs of a lane are leased, so sorting is cheap.
constexpr const char* kRunningJobs = R"(
SELECT *
  FROM jobs INDEXED BY jobs_leased
 WHERE lane = ?1 AND worker IS NOT NULL
 ORDER BY id
 LIMIT ?2)";

constexpr const char* kExpired = R"(
SELECT *
  FROM jobs INDEXED BY jobs_expiry
 WHERE expires_at <= ?1 AND expires_at IS NOT NULL AND "end" = 'open'
 ORDER BY expires_at
 LIMIT ?2)";

// Uses index jobs_open, oldest move first. Strictly older than the threshold, as the document says.
constexpr const char* kStuck = R"(
SELECT *
  FROM jobs INDEXED BY jobs_open
 WHERE moved_at < ?3 AND "end" = 'open' AND lifecycle = ?1 AND state = ?2
   AND (?5 = 0 OR owner = ?5)
   AND (seq > 0 OR seen_at IS NOT NULL OR due_at < ?3)
 ORDER BY moved_at
 LIMIT ?4)";

constexpr const char* kLeased = R"(
SELECT *
  FROM jobs INDEXED BY jobs_leased
 WHERE worker = ?1 AND id > ?2
 ORDER BY id
 LIMIT ?3)";

constexpr std::size_t kOwnersMax = 1'000;  // Owners of one lane.
constexpr std::size_t kHopsMax = 1'000;    // Steps in one search for due lanes.
constexpr std::size_t kPairsMax = 10'000;  // Pairs of lane and owner read for the next due time.

// An owner in a lane, and when the owner's first job of the lowest priority is due.
struct Hop {
  std::string lane;
  UserId owner;
  int priority = 0;
  Time due_at{};
};
constexpr UserId kPastOwners{std::numeric_limits<std::int64_t>::max()};

std::optional<Hop> hop(Connection& db, const std::string& lane, UserId owner) {
  Query row{db, kHop, {lane, owner}};
  if (!row.step()) return std::nullopt;
  return Hop{row.string(0), UserId{row.integer(1)}, static_cast<int>(row.integer(2)), row.time(3)};
}

// When the owner's first job in the lane is due. One that is due by `enough` need not be the first.
Time first_due(Connection& db, const Hop& at, Time enough) {
  Time first = at.due_at;
  for (int priority = at.priority + 1; priority <= kPriorityMax && first > enough; ++priority) {
    Query row{db, kFirstDue, {at.lane, at.owner, priority}};
    if (!row.step()) continue;
    if (const auto due = row.maybe_time(0)) first = std::min(first, *due);
  }
  return first;
}

// Steps from lane to lane, and within a lane from owner to owner until one has a job due.
LanePage due_lanes(Connection& db, const std::string& after, Time now, std::size_t limit) {
  LanePage page;
  Hop at{.lane = after, .owner = kPastOwners};
  bool wrapped = after.empty();
  for (std::size_t hops = 0; hops < kHopsMax && page.lanes.size() < limit; ++hops) {
    auto next = hop(db, at.lane, at.owner);
    if (next && wrapped && !after.empty() && next->lane > after) next.reset();
    if (!next && wrapped) return page;
    if (!next) {
      wrapped = true;
      at = {.lane = "", .owner = kPastOwners};
      continue;
    }
    at = *std::move(next);
    if (first_due(db, at, now) > now) continue;
    page.lanes.push_back(at.lane);
    at.owner = kPastOwners;
  }
  if (at.owner != kPastOwners) page.lanes.push_back(at.lane);  // Some of its owners were not read.
  page.next = at.lane;
  return page;
}

std::vector<Job> read_jobs(Query& rows) {
  std::vector<Job> jobs;
  while (rows.step()) jobs.push_back(read_job(rows));
  return jobs;
}

class SqliteReader final : public Reader {
 public:
  explicit SqliteReader(Database& database) : database_{database} {}

  std::vector<std::optional<Job>> find(std::span<const JobId> ids) override {
    std::vector<std::optional<Job>> found(ids.size());
    database_.read_rows(ids.size(), [&](Connection& db) {
      for (std::size_t i = 0; i < ids.size(); ++i) {
        Query row{db, kFind, {ids[i]}};
        if (row.step()) found[i] = read_job(row);
      }
    });
    return found;
  }

  std::vector<std::optional<std::string>> requests(std::span<const JobId> ids) override {
    std::vector<std::optional<std::string>> bodies(ids.size());
    database_.read_rows(ids.size(), [&](Connection& db) {
      for (std::size_t i = 0; i < ids.size(); ++i) {
        Query row{db, kBody, {ids[i]}};
        if (row.step()) bodies[i] = row.string(0);
      }
    });
    return bodies;
  }

  std::vector<Loaded> load(std::span<const JobId> ids) override {
    std::vector<Loaded> loaded;
    loaded.reserve(ids.size());
    database_.read_rows(2 * ids.size(), [&](Connection& db) {
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

  std::vector<ReasonTally> reasons(const ReasonFilter& filter) override {
    std::vector<ReasonTally> counted;
    database_.read([&](Connection& db) { counted = count_reasons(db, filter); });
    return counted;
  }

  JobId keyed(const Lifecycle& lifecycle, UserId owner, const std::string& key) override {
    JobId id;
    database_.read([&](Connection& db) {
      Query row{db, kKeyed, {lifecycle.name, owner, key}};
      if (row.step()) row.id(0, id);
    });
    return id;
  }

  std::vector<StateCount> tally(UserId owner) override {
    std::vector<StateCount> counts;
    database_.read([&](Connection& db) { counts = tallies_.count(db, owner); });
    return counts;
  }

  std::vector<Job> due(const std::string& lane, Time now, std::size_t limit,
                       std::span<const std::string_view> states) override {
    std::string list;  // ",queued,downloading,": kDue looks for ",state," in it.
    for (const std::string_view state : states) {
      ensure(state.find(',') == std::string_view::npos, "no state's name has a comma");
      list.append(list.empty() ? "," : "").append(state).append(",");
    }
    limit = std::min(limit, kListMax);
    std::vector<Job> found;
    database_.read([&](Connection& db) {
      auto owner = next_owner(db, lane, {});
      for (std::size_t owners = 0; owner && owners < kOwnersMax; ++owners) {
        for (int priority = kPriorityMin; priority <= kPriorityMax; ++priority) {
          Query rows{db, kDue, {lane, now, limit, list, *owner, priority}};
          std::ranges::move(read_jobs(rows), std::back_inserter(found));
        }
        owner = next_owner(db, lane, *owner);
      }
    });
    std::ranges::stable_sort(found, {}, &Job::due_at);
    if (found.size() > limit) found.resize(limit);
    return found;
  }

  LanePage lanes(const std::string& after, Time now, std::size_t limit) override {
    LanePage page;
    database_.read([&](Connection& db) { page = due_lanes(db, after, now, limit); });
    return page;
  }

  std::size_t running(const std::string& lane) override {
    std::size_t jobs = 0;
    database_.read(
        [&](Connection& db) { jobs = static_cast<std::size_t>(db.number(kRunning, {lane})); });
    return jobs;
  }

  std::vector<Job> running(const std::string& lane, std::size_t limit) override {
    return select(kRunningJobs, {lane, std::min(limit, kListMax)});
  }

  std::optional<Time> next_due() override {
    std::optional<Time> first;
    database_.read([&](Connection& db) {
      auto at = hop(db, "", kPastOwners);
      for (std::size_t pairs = 0; at && pairs < kPairsMax; ++pairs) {
        const Time due = first_due(db, *at, Time::min());
        first = first ? std::min(*first, due) : due;
        at = hop(db, at->lane, at->owner);
      }
    });
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

  std::vector<Job> leased(WorkerId worker, JobId after, std::size_t limit) override {
    return select(kLeased, {worker, after, std::min(limit, kListMax)});
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

  Database& database_;
  Tallies tallies_;
};

}  // namespace

std::unique_ptr<Reader> make_reader(Database& database) {
  return std::make_unique<SqliteReader>(database);
}

}  // namespace haul::sqlite

#include "store/sqlite/list.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <span>
#include <string_view>

#include "base/ascii.h"
#include "base/joined.h"
#include "lifecycle/tables.h"
#include "store/search.h"
#include "store/sqlite/rows.h"

namespace haul::sqlite {
namespace {

constexpr std::int64_t kScanMax = 100'000;    // Jobs that one page may read.
constexpr std::int64_t kSearchedMax = 5'000;  // Fewer if it reads requests or outcomes.
constexpr std::size_t kSearchedBytes = std::size_t{8} << 20U;  // Bytes of requests to search.
constexpr int kSortedMax = 20'000;         // Jobs that a page in another order may read.
constexpr std::int64_t kOpenMax = 10'000;  // Up to this many open jobs, a page sorts them all.

constexpr std::int64_t kIdMax = std::numeric_limits<std::int64_t>::max();

constexpr const char* kFind = "SELECT * FROM jobs WHERE id = ?1";
constexpr const char* kBody = "SELECT body FROM requests WHERE job = ?1";
constexpr const char* kNewest = "SELECT coalesce(max(id), 0) FROM jobs";

// What a job must match. ?8 has the seconds after which a state's jobs are stuck:
// {"media.queued":3600}. Statements with this filter have the same parameters.
constexpr std::string_view kMatches = R"(
   AND (?3 = '' OR lifecycle = ?3)
   AND (?4 = '' OR state = ?4 COLLATE NOCASE)
   AND (?5 = '' OR "end" = ?5)
   AND (?6 = 0 OR owner = ?6)
   AND (?9 = '' OR reason = ?9)
   AND hidden_at IS NULL
   AND (?7 IS NULL
        OR iif(seq = 0 AND seen_at IS NULL, max(moved_at, due_at), moved_at)
           < ?7 - 1000 * json_extract(?8, '$."' || lifecycle || '.' || state || '"'))
   AND (?10 = '' OR EXISTS (SELECT 1
                              FROM requests wanted
                             WHERE wanted.job = jobs.id AND wanted.category = ?10)))";
constexpr std::string_view kNewestFirst = "\n ORDER BY jobs.id DESC";

// Uses the primary key.
constexpr std::string_view kFromAll = R"(
SELECT id
  FROM jobs
 WHERE id < ?1 AND id > ?2)";
constexpr const char* kAll = Joined<kFromAll, kMatches, kNewestFirst>::kText;
constexpr const char* kAllBelow = "SELECT coalesce(max(id), 0) FROM jobs WHERE id <= ?1";

// Uses index jobs_owner, to which SQLite appends the id.
constexpr std::string_view kFromOwned = R"(
SELECT id
  FROM jobs INDEXED BY jobs_owner
 WHERE owner = ?6
   AND id < ?1 AND id > ?2)";
constexpr const char* kOwned = Joined<kFromOwned, kMatches, kNewestFirst>::kText;
constexpr const char* kOwnedFloor = R"(
SELECT id
  FROM jobs INDEXED BY jobs_owner
 WHERE owner = ?1 AND id < ?2
 ORDER BY id DESC
 LIMIT 1 OFFSET ?3)";
constexpr const char* kOwnedBelow = R"(
SELECT coalesce(max(id), 0)
  FROM jobs INDEXED BY jobs_owner
 WHERE owner = ?2 AND id <= ?1)";

// Uses index jobs_bad: failures are few among many good ends.
constexpr std::string_view kFromBad = R"(
SELECT id
  FROM jobs INDEXED BY jobs_bad
 WHERE "end" = 'bad'
   AND lifecycle = ?3
   AND id < ?1 AND id > ?2)";
constexpr const char* kBad = Joined<kFromBad, kMatches, kNewestFirst>::kText;
constexpr const char* kBadFloor = R"(
SELECT id
  FROM jobs INDEXED BY jobs_bad
 WHERE "end" = 'bad' AND lifecycle = ?1 AND id < ?2
 ORDER BY id DESC
 LIMIT 1 OFFSET ?3)";
constexpr const char* kBadBelow = R"(
SELECT coalesce(max(id), 0)
  FROM jobs INDEXED BY jobs_bad
 WHERE "end" = 'bad' AND lifecycle = ?2 AND id <= ?1)";

// Uses index requests_category, newest first, and the primary key of jobs.
constexpr std::string_view kFromCategory = R"(
SELECT jobs.id
  FROM requests INDEXED BY requests_category CROSS JOIN jobs ON jobs.id = requests.job
 WHERE requests.category = ?10
   AND requests.job < ?1 AND requests.job > ?2)";
constexpr std::string_view kNewestRequest = "\n ORDER BY requests.job DESC";
constexpr const char* kCategory = Joined<kFromCategory, kMatches, kNewestRequest>::kText;
constexpr const char* kCategoryFloor = R"(
SELECT job
  FROM requests INDEXED BY requests_category
 WHERE category = ?1 AND job < ?2
 ORDER BY job DESC
 LIMIT 1 OFFSET ?3)";
constexpr const char* kCategoryBelow = R"(
SELECT coalesce(max(job), 0)
  FROM requests INDEXED BY requests_category
 WHERE category = ?2 AND job <= ?1)";

// Reads all ids from index jobs_open and sorts them, then uses the primary key.
constexpr std::string_view kFromOpen = R"(
SELECT id
  FROM jobs
 WHERE id IN (SELECT id
                FROM jobs INDEXED BY jobs_open
               WHERE "end" = 'open' AND id < ?1))";
constexpr const char* kOpen = Joined<kFromOpen, kMatches, kNewestFirst>::kText;
constexpr const char* kOpenCount = R"(
SELECT count(*)
  FROM (SELECT 1
          FROM jobs INDEXED BY jobs_open
         WHERE "end" = 'open'
         LIMIT ?1))";

// The other orders: ids with what they are sorted by, and whether they are in this order at all.
// Each uses its index, so that a page begins where the last one ended. A job that has ended moved
// last when it ended.
constexpr const char* kByMoved = R"(
SELECT id, moved_at, 1
  FROM jobs INDEXED BY jobs_open
 WHERE "end" = 'open' AND (moved_at, id) < (?1, ?2)
UNION ALL
SELECT id, ended_at, 1
  FROM jobs INDEXED BY jobs_ended
 WHERE ended_at IS NOT NULL AND hidden_at IS NULL AND (ended_at, id) < (?1, ?2)
 ORDER BY 2 DESC, 1 DESC)";
constexpr const char* kByEnded = R"(
SELECT id, ended_at, 1
  FROM jobs INDEXED BY jobs_ended
 WHERE ended_at IS NOT NULL AND hidden_at IS NULL AND (ended_at, id) < (?1, ?2)
 ORDER BY ended_at DESC, id DESC)";

// One level of priority. The normal one has no index: if few jobs are open, sorts those; if many
// are, reads all jobs.
constexpr const char* kRanked = R"(
SELECT id, priority, 1
  FROM jobs INDEXED BY jobs_ranked
 WHERE priority = ?1 AND priority <> 0 AND "end" = 'open' AND id < ?2
 ORDER BY id DESC)";
constexpr const char* kNormalOfFew = R"(
SELECT id, ?1, priority = 0
  FROM jobs
 WHERE id IN (SELECT id
                FROM jobs INDEXED BY jobs_open
               WHERE "end" = 'open' AND id < ?2)
 ORDER BY id DESC)";
constexpr const char* kNormalOfMany = R"(
SELECT id, ?1, priority = 0 AND "end" = 'open'
  FROM jobs
 WHERE id < ?2
 ORDER BY id DESC)";

// Whether one of them matches the filter. Uses the primary key.
constexpr std::string_view kOne = R"(
SELECT 1
  FROM jobs
 WHERE id = ?1)";
constexpr const char* kFits = Joined<kOne, kMatches>::kText;

// The index that a page reads; `nothing` if no job can match.
enum class Ride : std::uint8_t { nothing, all, owned, bad, open, category };

// Which jobs a page reads: ids below `before` and above `floor`, newest first.
struct Plan {
  Ride ride = Ride::all;
  std::int64_t before = 0;
  std::int64_t floor = 0;
};

bool is_like(std::string_view a, std::string_view b) {
  return a.size() == b.size() && lower(a) == lower(b);
}

// Empty if the filter does not ask for stuck jobs.
std::vector<StuckRule> rules_of(const JobFilter& filter) {
  if (!filter.stuck_at) return {};
  return filter.stuck_rules ? *filter.stuck_rules : default_stuck_rules();
}

// The rules as ?8 of the statements.
std::string to_json(std::span<const StuckRule> rules) {
  std::string json;
  for (const StuckRule& rule : rules)
    json += fmt::format(R"({}"{}.{}":{})", json.empty() ? "" : ",", rule.lifecycle, rule.state,
                        rule.after.count());
  return "{" + json + "}";
}

// The ends that jobs of this filter can have by the lifecycle tables, one bit for each.
unsigned ends_of(const JobFilter& filter) {
  const std::vector<StuckRule> rules = rules_of(filter);
  unsigned ends = 0;
  for (const Lifecycle* table : all_lifecycles()) {
    if (is_item(*table)) continue;
    if (!filter.lifecycle.empty() && table->name != filter.lifecycle) continue;
    for (const State& state : table->states) {
      if (!filter.state.empty() && !is_like(state.name, filter.state)) continue;
      if (filter.end && *filter.end != state.end) continue;
      if (filter.outcome && state.is_open()) continue;
      if (filter.stuck_at && stuck_after(rules, table->name, state.name).count() == 0) continue;
      ends |= 1U << static_cast<unsigned>(state.end);
    }
  }
  return ends;
}

constexpr unsigned bit(End end) { return 1U << static_cast<unsigned>(end); }

Ride ride_of(Connection& db, const JobFilter& filter) {
  const unsigned ends = ends_of(filter);
  if (ends == 0) return Ride::nothing;
  if (!filter.category.empty()) return Ride::category;
  if (ends == bit(End::bad)) return Ride::bad;
  if (ends == bit(End::open) && db.number(kOpenCount, {kOpenMax + 1}) <= kOpenMax)
    return Ride::open;
  return filter.owner ? Ride::owned : Ride::all;
}

Plan plan_of(Connection& db, const JobFilter& filter, Ride ride) {
  Plan plan{.ride = ride, .before = filter.before ? filter.before.value : kIdMax};
  const std::int64_t most = filter.q.empty() && !filter.outcome ? kScanMax : kSearchedMax;
  if (ride == Ride::all) {
    // Jobs are never deleted, so a number of ids is the same number of jobs.
    const std::int64_t newest = db.number(kNewest);
    if (newest < kIdMax) plan.before = std::min(plan.before, newest + 1);
    plan.floor = std::max<std::int64_t>(plan.before - 1 - most, 0);
  }
  const bool is_narrowed = !filter.lifecycle.empty() || !filter.state.empty() || filter.end ||
                           filter.stuck_at || filter.outcome || !filter.q.empty() ||
                           !filter.reason.empty();
  if (ride == Ride::owned && is_narrowed)
    plan.floor = db.number(kOwnedFloor, {filter.owner, plan.before, most});
  if (ride == Ride::category)
    plan.floor = db.number(kCategoryFloor, {filter.category, plan.before, most});
  if (ride == Ride::bad) plan.floor = db.number(kBadFloor, {filter.lifecycle, plan.before, most});
  return plan;
}

// The newest job that the plan leaves for another page; zero if there is none.
std::int64_t below(Connection& db, const JobFilter& filter, const Plan& plan) {
  if (plan.floor == 0) return 0;
  if (plan.ride == Ride::all) return db.number(kAllBelow, {plan.floor});
  if (plan.ride == Ride::owned) return db.number(kOwnedBelow, {plan.floor, filter.owner});
  if (plan.ride == Ride::category) return db.number(kCategoryBelow, {plan.floor, filter.category});
  if (plan.ride == Ride::bad) return db.number(kBadBelow, {plan.floor, filter.lifecycle});
  return 0;
}

const char* sql_of(Ride ride) {
  if (ride == Ride::owned) return kOwned;
  if (ride == Ride::bad) return kBad;
  if (ride == Ride::category) return kCategory;
  return ride == Ride::open ? kOpen : kAll;
}

// The ids of a page. `next` is set if the search stopped before it had read all jobs.
struct FoundJobs {
  std::vector<std::int64_t> ids;
  std::int64_t next = 0;
  std::int64_t searched = 0;
  std::int64_t next_key = 0;  // What `next` is sorted by, if that is not its id.
};

// Matches requests with the search text, and says when it has read enough of them.
class Search {
 public:
  Search(Connection& db, const std::string& text) : db_{db}, needle_{text}, any_{text.empty()} {}

  bool fits(std::int64_t job) {
    if (any_) return true;
    Query body{db_, kBody, {job}};
    if (!body.step()) return false;
    ++looked_;
    bytes_ += body.text(0).size();
    return needle_.is_in(body.text(0));
  }
  std::int64_t looked() const { return looked_; }
  bool is_enough() const { return looked_ >= kSearchedMax || bytes_ >= kSearchedBytes; }

 private:
  Connection& db_;
  const Needle needle_;
  const bool any_;
  std::int64_t looked_ = 0;
  std::size_t bytes_ = 0;
};

// Uses the primary keys of both tables.
constexpr const char* kOutcome = R"(
SELECT j.lifecycle, j.state, c.downloaded, c.skipped, c.failed
  FROM jobs j LEFT JOIN counts c ON c.job = j.id
 WHERE j.id = ?1)";

bool has_outcome(Connection& db, const JobFilter& filter, std::int64_t id) {
  if (!filter.outcome) return true;
  Query row{db, kOutcome, {id}};
  if (!row.step()) return false;
  const Lifecycle& table = lifecycle_named(row.text(0));
  const State& state = table.at(state_named(table, row.text(1)));
  const Counts counts{
      .downloaded = row.integer(2), .skipped = row.integer(3), .failed = row.integer(4)};
  return outcome_of(table, state, counts) == filter.outcome;
}

FoundJobs look(Connection& db, const JobFilter& filter, const Plan& plan) {
  const std::size_t limit = std::clamp<std::size_t>(filter.limit, 1, kListMax);
  const std::string_view end = filter.end ? name(*filter.end) : std::string_view{};
  const std::string rules = to_json(rules_of(filter));
  Search search{db, filter.q};
  FoundJobs found;
  Query rows{db,
             sql_of(plan.ride),
             {plan.before, plan.floor, filter.lifecycle, filter.state, end, filter.owner,
              filter.stuck_at, rules, filter.reason, filter.category}};
  while (rows.step()) {
    const std::int64_t id = rows.integer(0);
    if (has_outcome(db, filter, id) && search.fits(id)) found.ids.push_back(id);
    found.searched = search.looked();
    if (found.ids.size() > limit) {
      found.ids.pop_back();
      found.next = found.ids.back();
      return found;
    }
    if (search.is_enough()) {
      found.next = id;
      return found;
    }
  }
  if (const std::int64_t rest = below(db, filter, plan)) found.next = rest + 1;
  return found;
}

// Finds only this job, if it matches the rest of the filter.
FoundJobs look_for(Connection& db, JobFilter filter, JobId id) {
  const bool is_before = !filter.before || id < filter.before;
  if (!id || !is_before || ends_of(filter) == 0) return {};
  filter.q.clear();
  // id + 1 would overflow for the largest id.
  const std::int64_t before = id.value < kIdMax ? id.value + 1 : kIdMax;
  FoundJobs found = look(db, filter, {.ride = Ride::all, .before = before, .floor = id.value - 1});
  found.next = 0;
  return found;
}

bool fits(Connection& db, const JobFilter& filter, const std::string& rules, std::int64_t id) {
  const std::string_view end = filter.end ? name(*filter.end) : std::string_view{};
  return db.number(kFits, {id, nullptr, filter.lifecycle, filter.state, end, filter.owner,
                           filter.stuck_at, rules, filter.reason, filter.category}) == 1 &&
         has_outcome(db, filter, id);
}

// A part of a sorted list: the jobs below a key and an id, or below an id with this key.
struct SortedPart {
  const char* sql;
  std::int64_t key;
  std::int64_t before;
};

// The levels from the one that the page begins in. Above that one all is read.
std::vector<SortedPart> levels_of(Connection& db, const JobFilter& filter) {
  const bool is_few = db.number(kOpenCount, {kOpenMax + 1}) <= kOpenMax;
  std::vector<SortedPart> parts;
  for (std::int64_t level = kPriorityMax; level >= kPriorityMin; --level) {
    if (filter.before && level > filter.before_key) continue;
    const char* normal = is_few ? kNormalOfFew : kNormalOfMany;
    const bool is_begun = filter.before && level == filter.before_key;
    parts.push_back(
        {level == 0 ? normal : kRanked, level, is_begun ? filter.before.value : kIdMax});
  }
  return parts;
}

std::vector<SortedPart> parts_of(Connection& db, const JobFilter& filter) {
  if (filter.sort == JobSort::priority) return levels_of(db, filter);
  return {{filter.sort == JobSort::ended ? kByEnded : kByMoved,
           filter.before ? filter.before_key : kIdMax,
           filter.before ? filter.before.value : kIdMax}};
}

// A page in another order than by id.
class SortedPage {
 public:
  SortedPage(Connection& db, const JobFilter& filter)
      : db_{db},
        filter_{filter},
        limit_{std::clamp<std::size_t>(filter.limit, 1, kListMax)},
        rules_{to_json(rules_of(filter))},
        search_{db, filter.q} {}

  FoundJobs read() {
    for (const SortedPart& part : parts_of(db_, filter_))
      if (!read(part)) break;
    return std::move(found_);
  }

 private:
  // False if the page is full, or has read enough.
  bool read(const SortedPart& part) {
    Query rows{db_, part.sql, {part.key, part.before}};
    while (rows.step()) {
      const std::int64_t id = rows.integer(0);
      if (rows.flag(2) && fits(db_, filter_, rules_, id) && search_.fits(id)) {
        if (found_.ids.size() == limit_) return go_on_after(found_.ids.back(), last_key_);
        found_.ids.push_back(id);
        last_key_ = rows.integer(1);
      }
      found_.searched = search_.looked();
      if (search_.is_enough() || ++rows_read_ == kSortedMax)
        return go_on_after(id, rows.integer(1));
    }
    return true;
  }

  bool go_on_after(std::int64_t id, std::int64_t key) {
    found_.next = id;
    found_.next_key = key;
    return false;
  }

  Connection& db_;
  const JobFilter& filter_;
  const std::size_t limit_;
  const std::string rules_;
  Search search_;
  FoundJobs found_;
  std::int64_t last_key_ = 0;  // Of the last id that was found.
  int rows_read_ = 0;
};

// Finds failures of all lifecycles, one lifecycle after the other, because jobs_bad sorts by
// lifecycle first. A page ends at the highest `next` of them: below it one of them has unread jobs.
FoundJobs look_for_bad(Connection& db, JobFilter filter) {
  const std::size_t limit = std::clamp<std::size_t>(filter.limit, 1, kListMax);
  FoundJobs all;
  for (const Lifecycle* table : all_lifecycles()) {
    filter.lifecycle = table->name;
    if (ends_of(filter) == 0) continue;
    const FoundJobs one = look(db, filter, plan_of(db, filter, Ride::bad));
    all.ids.insert(all.ids.end(), one.ids.begin(), one.ids.end());
    all.next = std::max(all.next, one.next);
    all.searched += one.searched;
  }
  std::erase_if(all.ids, [&](std::int64_t id) { return id < all.next; });
  std::ranges::sort(all.ids, std::greater{});
  if (all.ids.size() > limit) {
    all.ids.resize(limit);
    all.next = all.ids.back();
  }
  return all;
}

FoundJobs find(Connection& db, const JobFilter& filter) {
  if (const auto id = Needle{filter.q}.id()) return look_for(db, filter, *id);
  if (filter.sort != JobSort::created)
    return ends_of(filter) == 0 ? FoundJobs{} : SortedPage{db, filter}.read();
  const Ride ride = ride_of(db, filter);
  if (ride == Ride::nothing) return {};
  if (ride == Ride::bad && filter.lifecycle.empty()) return look_for_bad(db, filter);
  return look(db, filter, plan_of(db, filter, ride));
}

}  // namespace

JobPage list_jobs(Connection& db, const JobFilter& filter) {
  const Snapshot snapshot{db};  // The jobs that were found must still match when they are read.
  const FoundJobs found = find(db, filter);
  JobPage page{.jobs = {},
               .next = JobId{found.next},
               .next_key = found.next_key,
               .searched = found.searched};
  for (const std::int64_t id : found.ids) {
    Query row{db, kFind, {id}};
    if (row.step()) page.jobs.push_back(read_job(row));
  }
  return page;
}

}  // namespace haul::sqlite

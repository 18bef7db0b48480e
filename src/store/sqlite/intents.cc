// Implements Intents on SQLite.

#include "store/intents.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "base/ensure.h"
#include "store/reader.h"
#include "store/sqlite/move.h"
#include "store/sqlite/parts.h"
#include "store/sqlite/rows.h"

namespace haul::sqlite {
namespace {

constexpr const char* kInsert = R"(
INSERT INTO intents (job, kind, state, data, created_at)
VALUES (?1, ?2, 'open', ?3, ?4)
ON CONFLICT (job, kind) WHERE state = 'open' DO NOTHING)";

constexpr const char* kOpen = R"(
SELECT id, job, kind, state, data, outcome, created_at
  FROM intents
 WHERE job = ?1 AND kind = ?2 AND state = 'open')";

constexpr const char* kOf = R"(
SELECT id, job, kind, state, data, outcome, created_at
  FROM intents
 WHERE job = ?1
 ORDER BY id
 LIMIT ?2)";

// Rides intents_job backwards.
constexpr const char* kNewest = R"(
SELECT id, job, kind, state, data, outcome, created_at
  FROM intents INDEXED BY intents_job
 WHERE job = ?1 AND kind = ?2
 ORDER BY id DESC
 LIMIT 1)";

// Rides intents_open.
constexpr const char* kOpenOf = R"(
SELECT id, job, kind, state, data, outcome, created_at
  FROM intents INDEXED BY intents_open
 WHERE job = ?1 AND state = 'open'
 ORDER BY kind
 LIMIT ?2)";

// Rides intents_open_kind. Workers ask this often, so it reads no data.
constexpr const char* kOpenOfKind = R"(
SELECT id, job, kind, state, NULL, outcome, created_at
  FROM intents
 WHERE kind = ?1 AND state = 'open' AND id > ?3
 ORDER BY id
 LIMIT ?2)";

constexpr const char* kSettle = R"(
UPDATE intents
   SET state = ?2, outcome = ?3, settled_at = ?4
 WHERE id = ?1 AND state = 'open')";

constexpr const char* kReplace = R"(
UPDATE intents
   SET state = 'failed', outcome = 'replaced', settled_at = ?3
 WHERE job = ?1 AND kind = ?2 AND state = 'open')";

// Only the newest intent counts, so the store erases the data of older ones.
constexpr const char* kForget = R"(
UPDATE intents
   SET data = NULL
 WHERE job = ?1 AND kind = ?2 AND data IS NOT NULL)";

// Compares no fence: a wish stands whichever worker holds the job.
constexpr const char* kWishedOf = R"(
UPDATE OR ROLLBACK jobs
   SET due_at = min(due_at, max(coalesce(?4, due_at), coalesce(not_before, 0)))
 WHERE id = ?1 AND state = ?2 AND seq = ?3 AND "end" = 'open')";

constexpr const char* kIsOpen = R"(SELECT "end" = 'open' FROM jobs WHERE id = ?1)";
constexpr const char* kIsPaused = "SELECT paused FROM jobs WHERE id = ?1";

constexpr std::array<std::string_view, 4> kStates{"open", "done", "failed", "unknown"};

Intent read_intent(const Query& row) {
  Intent intent;
  row.id(0, intent.id);
  row.id(1, intent.job);
  intent.kind = row.string(2);
  const auto* state = std::ranges::find(kStates, row.text(3));
  intent.state = static_cast<IntentState>(state - kStates.begin());
  intent.data = row.string(4);
  intent.outcome = row.string(5);
  intent.created_at = row.time(6);
  return intent;
}

Intent write_intent(Connection& db, JobId job, const NewIntent& intent, Time now) {
  ensure(!intent.kind.empty(), "an intent says what it is for");
  db.run(kInsert, {job, intent.kind, or_null(intent.data), now});
  Query row{db, kOpen, {job, intent.kind}};
  row.step();
  return read_intent(row);
}

class SqliteIntents final : public Intents {
 public:
  explicit SqliteIntents(Database& database) : database_{database} {}

  std::expected<Intent, Refusal> begin(const Hold& hold, const NewIntent& intent,
                                       Time now) override {
    std::expected<Intent, Refusal> answer;
    database_.write(1, [&](Connection& db) {
      if (holds(db, hold))
        answer = write_intent(db, hold.job, intent, now);
      else
        answer =
            std::unexpected{Refusal{RefusalKind::stale, "not_leased", "the lease is not this one"}};
    });
    return answer;
  }

  std::expected<Intent, Refusal> record(JobId job, const NewIntent& intent, Time now) override {
    std::expected<Intent, Refusal> answer;
    database_.write(1, [&](Connection& db) {
      if (db.number(kIsOpen, {job}) != 1)
        answer = std::unexpected{Refusal{RefusalKind::forbidden, "not_open",
                                         fmt::format("job {} is not open", job.value)}};
      else if (intent.unless_paused && db.number(kIsPaused, {job}) == 1)
        answer = std::unexpected{
            Refusal{RefusalKind::forbidden, "paused", fmt::format("job {} is paused", job.value)}};
      else
        answer = write_intent(db, job, intent, now);
    });
    return answer;
  }

  std::expected<Intent, Refusal> wish(const JobVersion& version, const NewWish& wish,
                                      Time now) override {
    std::expected<Intent, Refusal> answer;
    database_.write(1, [&](Connection& db) {
      const std::optional<Time> due = wish.makes_due ? std::optional{now} : std::nullopt;
      if (db.run(kWishedOf, {version.id, version.state, version.seq, due}) != 1) {
        answer = std::unexpected{stale(db, version)};
        return;
      }
      db.run(kReplace, {version.id, wish.kind, now});
      db.run(kForget, {version.id, wish.kind});
      answer = write_intent(db, version.id, {.kind = wish.kind, .data = wish.data}, now);
      write_note(db, version.id, wish.note, wish.note_data, now);
    });
    return answer;
  }

  bool settle(IntentId intent, IntentState state, const std::string& outcome, Time now) override {
    if (state == IntentState::open) return false;
    bool settled = false;
    database_.write(1, [&](Connection& db) {
      settled = db.run(kSettle, {intent, kStates.at(static_cast<std::size_t>(state)),
                                 or_null(outcome), now}) == 1;
    });
    return settled;
  }

  std::vector<std::vector<Intent>> of(std::span<const JobId> jobs, std::size_t limit) override {
    return select(kOf, jobs, limit);
  }

  std::optional<Intent> newest(JobId job, std::string_view kind) override {
    std::optional<Intent> newest;
    database_.read([&](Connection& db) {
      Query row{db, kNewest, {job, kind}};
      if (row.step()) newest = read_intent(row);
    });
    return newest;
  }

  std::vector<std::vector<Intent>> open_of(std::span<const JobId> jobs) override {
    return select(kOpenOf, jobs, kListMax);
  }

  std::vector<Intent> open(const std::string& kind, std::size_t limit, IntentId after) override {
    std::vector<Intent> intents;
    database_.read([&](Connection& db) {
      Query rows{db, kOpenOfKind, {kind, std::min(limit, kListMax), after}};
      while (rows.step()) intents.push_back(read_intent(rows));
    });
    return intents;
  }

 private:
  // One list per job. The statement takes a job and a limit.
  std::vector<std::vector<Intent>> select(const char* sql, std::span<const JobId> jobs,
                                          std::size_t limit) {
    std::vector<std::vector<Intent>> lists(jobs.size());
    const std::size_t most = std::min(limit, kListMax);
    database_.read_rows(jobs.size(), [&](Connection& db) {
      for (std::size_t i = 0; i < jobs.size(); ++i) {
        Query rows{db, sql, {jobs[i], most}};
        while (rows.step()) lists[i].push_back(read_intent(rows));
      }
    });
    return lists;
  }

  Database& database_;
};

}  // namespace

std::unique_ptr<Intents> make_intents(Database& database) {
  return std::make_unique<SqliteIntents>(database);
}

}  // namespace haul::sqlite

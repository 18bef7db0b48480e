// Implements Events on SQLite.

#include "store/events.h"

#include <algorithm>
#include <utility>

#include "base/ensure.h"
#include "store/reader.h"
#include "store/sqlite/parts.h"
#include "store/sqlite/rows.h"

namespace haul::sqlite {
namespace {

// Uses the unique index on (job, seq, n) and starts at the position of event ?2: a batch has an
// event for each item, and a later page must not read the first ones again. If ?2 was pruned or
// belongs to another job, it has no position, and only the ids are compared.
constexpr const char* kOf = R"(
SELECT id, job, seq, type, at, from_state, to_state, "on", "by", worker, reason, data
  FROM events
 WHERE job = ?1 AND id > ?2
   AND (seq, n) > (coalesce((SELECT seq FROM events WHERE id = ?2 AND job = ?1), -1),
                   coalesce((SELECT n FROM events WHERE id = ?2 AND job = ?1), -1))
 ORDER BY seq, n
 LIMIT ?3)";

// Uses the primary key.
constexpr const char* kAfter = R"(
SELECT id, job, seq, type, at, from_state, to_state, "on", "by", worker, reason, data
  FROM events
 WHERE id > ?1
 ORDER BY id
 LIMIT ?2)";

constexpr const char* kNewest = "SELECT coalesce(max(id), 0) FROM events";

constexpr const char* kIsOpen = "SELECT 1 FROM jobs WHERE id = ?1 AND ended_at IS NULL";

// Uses the primary keys of both tables; reads the events of one step.
constexpr const char* kLook = R"(
SELECT e.id, e.at < ?3, coalesce(j.ended_at < ?3, 0)
  FROM events e CROSS JOIN jobs j ON j.id = e.job
 WHERE e.id > ?1
 ORDER BY e.id
 LIMIT ?2)";

// The newest event always stays, so that SQLite never reuses an id. Checks ended_at again, because
// the job may have been retried since look().
constexpr const char* kRemove = R"(
DELETE FROM events
 WHERE id = ?1 AND id < (SELECT max(id) FROM events)
   AND (SELECT ended_at FROM jobs WHERE jobs.id = events.job) < ?2)";

Event read_event(const Query& row) {
  Event event;
  row.id(0, event.id);
  row.id(1, event.job);
  event.seq = row.integer(2);
  event.type = row.string(3);
  event.at = row.time(4);
  event.from = row.string(5);
  event.to = row.string(6);
  event.on = row.string(7);
  event.by = row.string(8);
  row.id(9, event.worker);
  event.reason = row.string(10);
  event.data = row.string(11);
  return event;
}

class SqliteEvents final : public Events {
 public:
  explicit SqliteEvents(Database& database) : database_{database} {}

  std::vector<Event> of(JobId job, EventId after, std::size_t limit) override {
    return select(kOf, {job, after, std::min(limit, kListMax)});
  }

  std::vector<Event> after(EventId after, std::size_t limit) override {
    return select(kAfter, {after, std::min(limit, kListMax)});
  }

  EventId newest() override {
    EventId id;
    database_.read([&](Connection& db) { id.value = db.number(kNewest); });
    return id;
  }

  bool note(JobId job, std::string_view type, std::string_view data, Time now) override {
    bool noted = false;
    database_.write(1, [&](Connection& db) {
      noted = db.number(kIsOpen, {job}) == 1;
      if (noted) write_note(db, job, type, data, now);
    });
    return noted;
  }

  Pruned prune(Time before, EventId after, std::size_t limit) override {
    Looked looked;
    limit = std::min(limit, kBatchMax);
    database_.read([&](Connection& db) { looked = look(db, before, after, limit); });
    std::int64_t removed = 0;
    if (!looked.removable.empty())
      database_.write(looked.removable.size(), [&](Connection& db) {
        removed = 0;
        for (const EventId id : looked.removable) removed += db.run(kRemove, {id, before});
      });
    ensure(std::cmp_less_equal(removed, looked.removable.size()), "only looked-at events go");
    return {static_cast<std::size_t>(removed),
            looked.any_old && looked.events == limit ? std::optional{looked.last} : std::nullopt};
  }

 private:
  struct Looked {
    std::vector<EventId> removable;
    std::size_t events = 0;
    EventId last;
    bool any_old = false;
  };
  static Looked look(Connection& db, Time before, EventId after, std::size_t limit) {
    Looked looked;
    Query rows{db, kLook, {after, limit, before}};
    for (; rows.step(); ++looked.events) {
      rows.id(0, looked.last);
      looked.any_old = looked.any_old || rows.flag(1);
      if (rows.flag(1) && rows.flag(2)) looked.removable.push_back(looked.last);
    }
    return looked;
  }

  std::vector<Event> select(const char* sql, std::initializer_list<Value> values) {
    std::vector<Event> events;
    database_.read([&](Connection& db) {
      Query rows{db, sql, values};
      while (rows.step()) events.push_back(read_event(rows));
    });
    return events;
  }

  Database& database_;
};

}  // namespace

std::unique_ptr<Events> make_events(Database& database) {
  return std::make_unique<SqliteEvents>(database);
}

}  // namespace haul::sqlite

// Implements Workers on SQLite.

#include "store/workers.h"

#include <algorithm>

#include "store/reader.h"
#include "store/sqlite/parts.h"

namespace haul::sqlite {
namespace {

constexpr const char* kEnlist = R"(
INSERT INTO workers (name, beat, started_at, beat_at)
VALUES (?1, 0, ?2, ?2))";

constexpr const char* kBeat = R"(
UPDATE workers
   SET beat = beat + 1, beat_at = ?2
 WHERE id = ?1)";

constexpr const char* kFind = R"(
SELECT id, name, beat, started_at, beat_at
  FROM workers
 WHERE id = ?1)";

// Reads jobs_leased, limit_holders and duties once, whole: all are bounded by what workers hold.
constexpr const char* kList = R"(
SELECT id, name, beat, started_at, beat_at
  FROM workers
 WHERE beat_at >= ?1
    OR id IN (SELECT worker FROM jobs INDEXED BY jobs_leased WHERE worker IS NOT NULL)
    OR id IN (SELECT worker FROM limit_holders)
    OR id IN (SELECT worker FROM duties WHERE worker IS NOT NULL)
 ORDER BY id
 LIMIT ?2)";

// As above.
constexpr const char* kHolders = R"(
SELECT id, name, beat, started_at, beat_at
  FROM workers
 WHERE id IN (SELECT worker FROM jobs INDEXED BY jobs_leased WHERE worker IS NOT NULL
              UNION SELECT worker FROM limit_holders
              UNION SELECT worker FROM duties WHERE worker IS NOT NULL)
 ORDER BY id
 LIMIT ?1)";

constexpr const char* kPrune = R"(
DELETE FROM workers
 WHERE id IN (
   SELECT id
     FROM workers
    WHERE beat_at < ?1
      AND id < (SELECT max(id) FROM workers)
      AND id NOT IN (SELECT worker FROM jobs INDEXED BY jobs_leased WHERE worker IS NOT NULL)
      AND id NOT IN (SELECT worker FROM limit_holders)
      AND id NOT IN (SELECT worker FROM duties WHERE worker IS NOT NULL)
    ORDER BY id
    LIMIT ?2))";

WorkerRow read_worker(const Query& row) {
  WorkerRow worker;
  row.id(0, worker.id);
  worker.name = row.string(1);
  worker.beat = row.integer(2);
  worker.started_at = row.time(3);
  worker.beat_at = row.time(4);
  return worker;
}

class SqliteWorkers final : public Workers {
 public:
  explicit SqliteWorkers(Database& database) : database_{database} {}

  WorkerId enlist(const std::string& name, Time now) override {
    WorkerId id;
    database_.write(1, [&](Connection& db) {
      db.run(kEnlist, {name, now});
      id.value = db.last_id();
    });
    return id;
  }

  bool beat(WorkerId worker, Time now) override {
    bool beaten = false;
    database_.write(1, [&](Connection& db) { beaten = db.run(kBeat, {worker, now}) == 1; });
    return beaten;
  }

  std::vector<std::optional<WorkerRow>> find(std::span<const WorkerId> workers) override {
    std::vector<std::optional<WorkerRow>> found(workers.size());
    database_.read_rows(workers.size(), [&](Connection& db) {
      for (std::size_t i = 0; i < workers.size(); ++i) {
        Query row{db, kFind, {workers[i]}};
        if (row.step()) found[i] = read_worker(row);
      }
    });
    return found;
  }

  std::vector<WorkerRow> list(Time since, std::size_t limit) override {
    return select(kList, {since, std::min(limit, kListMax)});
  }

  std::vector<WorkerRow> holders(std::size_t limit) override {
    return select(kHolders, {std::min(limit, kListMax)});
  }

  std::size_t prune(Time before, std::size_t limit) override {
    std::size_t pruned = 0;
    database_.write(limit, [&](Connection& db) {
      pruned = static_cast<std::size_t>(db.run(kPrune, {before, limit}));
    });
    return pruned;
  }

 private:
  std::vector<WorkerRow> select(const char* sql, std::initializer_list<Value> values) {
    std::vector<WorkerRow> workers;
    database_.read([&](Connection& db) {
      Query rows{db, sql, values};
      while (rows.step()) workers.push_back(read_worker(rows));
    });
    return workers;
  }

  Database& database_;
};

}  // namespace

std::unique_ptr<Workers> make_workers(Database& database) {
  return std::make_unique<SqliteWorkers>(database);
}

}  // namespace haul::sqlite

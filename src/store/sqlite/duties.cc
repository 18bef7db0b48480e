// Implements Duties on SQLite.

#include "store/duties.h"

#include "base/ensure.h"
#include "store/sqlite/parts.h"

namespace haul::sqlite {
namespace {

constexpr const char* kFind = R"(
SELECT name, worker, fence
  FROM duties
 WHERE name = ?1)";

constexpr const char* kList = R"(
SELECT name, worker, fence
  FROM duties
 ORDER BY name
 LIMIT 1000)";

// Changes nothing if another worker has it that still beats.
constexpr const char* kTake = R"(
INSERT INTO duties (name, worker, fence)
VALUES (?1, ?2, 1)
ON CONFLICT (name) DO UPDATE
   SET worker = excluded.worker, fence = fence + 1
 WHERE duties.worker IS NULL
    OR duties.worker = ?3 AND EXISTS (SELECT 1 FROM workers WHERE id = ?3 AND beat = ?4))";

constexpr const char* kGive = "UPDATE duties SET worker = NULL WHERE name = ?1 AND worker = ?2";
constexpr const char* kGiveAll = "UPDATE duties SET worker = NULL WHERE worker = ?1";

Duty read_duty(const Query& row) {
  Duty duty{.name = row.string(0), .holder = {}, .fence = row.integer(2)};
  row.id(1, duty.holder);
  return duty;
}

class SqliteDuties final : public Duties {
 public:
  explicit SqliteDuties(Database& database) : database_{database} {}

  Duty take(const std::string& name, WorkerId worker,
            const std::optional<SilentWorker>& silent) override {
    ensure(worker && !name.empty(), "a worker takes a duty by its name");
    // Workers ask every few seconds, so a call that changes nothing does not wait for the writer.
    if (const auto found = find(name); found && found->holder) {
      const bool is_lost = silent && silent->worker == found->holder;
      if (found->holder == worker || !is_lost) return *found;
    }
    Duty duty;
    database_.write(1, [&](Connection& db) {
      const SilentWorker lost = silent.value_or(SilentWorker{});
      db.run(kTake, {name, worker, lost.worker, lost.beat});
      Query row{db, kFind, {name}};
      row.step();
      duty = read_duty(row);
    });
    return duty;
  }

  bool holds(const Duty& duty) override {
    const auto found = find(duty.name);
    return found && found->holder == duty.holder && found->fence == duty.fence;
  }

  void give(const std::string& name, WorkerId worker) override {
    database_.write(1, [&](Connection& db) { db.run(kGive, {name, worker}); });
  }
  void give_all(WorkerId worker) override {
    database_.write(1, [&](Connection& db) { db.run(kGiveAll, {worker}); });
  }

  std::vector<Duty> list() override {
    std::vector<Duty> duties;
    database_.read([&](Connection& db) {
      Query rows{db, kList};
      while (rows.step()) duties.push_back(read_duty(rows));
    });
    return duties;
  }

 private:
  std::optional<Duty> find(const std::string& name) {
    std::optional<Duty> found;
    database_.read([&](Connection& db) {
      Query row{db, kFind, {name}};
      if (row.step()) found = read_duty(row);
    });
    return found;
  }

  Database& database_;
};

}  // namespace

std::unique_ptr<Duties> make_duties(Database& database) {
  return std::make_unique<SqliteDuties>(database);
}

}  // namespace haul::sqlite

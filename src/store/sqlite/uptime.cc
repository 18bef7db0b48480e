// Implements Uptime on SQLite.

#include "store/uptime.h"

#include "store/sqlite/parts.h"

namespace haul::sqlite {
namespace {

constexpr const char* kBegin = R"(
INSERT INTO stretches (from_at, to_at, lived_before)
SELECT ?1, ?1, max(?2, coalesce(max(lived_before + to_at - from_at), 0))
  FROM stretches
RETURNING id, lived_before)";
// Uses the primary key.
constexpr const char* kForget = R"(
DELETE FROM stretches
 WHERE id <= ?1 - ?2)";
constexpr const char* kExtend = R"(
UPDATE stretches
   SET to_at = ?2
 WHERE id = ?1 AND to_at < ?2)";
constexpr const char* kList = R"(
SELECT id, from_at, to_at, lived_before
  FROM stretches
 ORDER BY id
 LIMIT ?1)";

class SqliteUptime final : public Uptime {
 public:
  explicit SqliteUptime(Database& database) : database_{database} {}

  Stretch begin(Time at, Millis lived) override {
    Stretch begun{.id = 0, .from = at, .to = at, .lived_before = {}};
    database_.write(1, [&](Connection& db) {
      Query row{db, kBegin, {at, lived.count()}};
      row.step();
      begun.id = row.integer(0);
      begun.lived_before = Millis{row.integer(1)};
      db.run(kForget, {begun.id, kStretchesMax});
    });
    return begun;
  }

  void extend(std::int64_t id, Time to) override {
    database_.write(1, [&](Connection& db) { db.run(kExtend, {id, to}); });
  }

  std::vector<Stretch> list() override {
    std::vector<Stretch> stretches;
    database_.read([&](Connection& db) {
      Query rows{db, kList, {kStretchesMax}};
      while (rows.step())
        stretches.push_back({rows.integer(0), rows.time(1), rows.time(2), Millis{rows.integer(3)}});
    });
    return stretches;
  }

 private:
  Database& database_;
};

}  // namespace

std::unique_ptr<Uptime> make_uptime(Database& database) {
  return std::make_unique<SqliteUptime>(database);
}

}  // namespace haul::sqlite

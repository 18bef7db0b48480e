#include "store/sqlite/migrate.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <string>

#include "lifecycle/tables.h"
#include "store/refusal.h"

namespace haul::sqlite {
namespace {

constexpr std::int64_t kApplicationId = 0x6861756c;  // "haul"

constexpr const char* kVersion = "PRAGMA user_version";
constexpr const char* kApplication = "PRAGMA application_id";
constexpr const char* kTables = "SELECT count(*) FROM sqlite_schema";

constexpr const char* kLifecycles = R"(
SELECT name, coalesce(items, '')
  FROM lifecycles
 ORDER BY name)";
constexpr const char* kStates = R"(
SELECT lifecycle, name, "end", is_initial, is_leased
  FROM states
 ORDER BY lifecycle, name)";
constexpr const char* kMoves = R"(
SELECT lifecycle, from_state, to_state, to_end, to_leased, needs_proof
  FROM moves
 ORDER BY lifecycle, from_state, to_state)";
constexpr const char* kNoLifecycles = "DELETE FROM lifecycles";
constexpr const char* kNoStates = "DELETE FROM states";
constexpr const char* kNoMoves = "DELETE FROM moves";
constexpr const char* kLifecycle = "INSERT INTO lifecycles (name, items) VALUES (?1, ?2)";
constexpr const char* kState = R"(
INSERT INTO states (lifecycle, name, "end", is_initial, is_leased)
VALUES (?1, ?2, ?3, ?4, ?5))";
constexpr const char* kMoveRow = R"(
INSERT INTO moves (lifecycle, from_state, to_state, to_end, to_leased, needs_proof)
VALUES (?1, ?2, ?3, ?4, ?5, ?6)
ON CONFLICT DO NOTHING)";

constexpr const char* kAdmin = R"(
INSERT INTO users (id, name, status, role, created_at)
VALUES (1, 'admin', 'ACTIVE', 'admin', ?1)
ON CONFLICT DO NOTHING)";
constexpr const char* kSalt = R"(
INSERT INTO meta (name, value)
VALUES ('salt', lower(hex(randomblob(16))))
ON CONFLICT DO NOTHING)";

constexpr const char* kStoreId = R"(
INSERT INTO meta (name, value)
VALUES ('store_id', lower(hex(randomblob(6))))
ON CONFLICT DO NOTHING)";

// The lifecycle tables as sorted lines, to compare the built-in ones with those in the file.
using Lines = std::set<std::string>;

std::string_view items_name(const Lifecycle& table) {
  return table.items ? table.items->name : std::string_view{};
}

// Whether each move between the two states needs a proof.
bool needs_proof(const Lifecycle& table, std::string_view from, std::string_view to) {
  return std::ranges::none_of(table.moves, [&](const Move& move) {
    return move.to == to && move.from.contains(from) && move.terms.needs == Proof::none;
  });
}

Lines built_in() {
  Lines lines;
  for (const Lifecycle* table : all_lifecycles()) {
    lines.insert(fmt::format("{} has items {}", table->name, items_name(*table)));
    for (const State& s : table->states)
      lines.insert(fmt::format("{}.{} {} {:d} {:d}", table->name, s.name, name(s.end),
                               s.name == table->initial().name, s.is_leased()));
    for (const Move& m : table->moves)
      for (const std::string_view from : m.from)
        lines.insert(fmt::format("{}.{} > {} {} {:d} {:d}", table->name, from, m.to,
                                 name(table->at(m.to).end), table->at(m.to).is_leased(),
                                 needs_proof(*table, from, m.to)));
  }
  return lines;
}

Lines in_file(Connection& db) {
  Lines lines;
  Query lifecycles{db, kLifecycles};
  while (lifecycles.step())
    lines.insert(fmt::format("{} has items {}", lifecycles.text(0), lifecycles.text(1)));
  Query states{db, kStates};
  while (states.step())
    lines.insert(fmt::format("{}.{} {} {} {}", states.text(0), states.text(1), states.text(2),
                             states.integer(3), states.integer(4)));
  Query moves{db, kMoves};
  while (moves.step())
    lines.insert(fmt::format("{}.{} > {} {} {} {}", moves.text(0), moves.text(1), moves.text(2),
                             moves.text(3), moves.integer(4), moves.integer(5)));
  return lines;
}

void write_lifecycle(Connection& db, const Lifecycle& table) {
  db.run(kLifecycle, {table.name, or_null(items_name(table))});
  for (const State& s : table.states)
    db.run(kState,
           {table.name, s.name, name(s.end), s.name == table.initial().name, s.is_leased()});
  for (const Move& m : table.moves) {
    const State& to = table.at(m.to);
    for (const std::string_view from : m.from)
      db.run(kMoveRow, {table.name, from, m.to, name(to.end), to.is_leased(),
                        needs_proof(table, from, m.to)});
  }
}

}  // namespace

bool is_haul_file(Connection& db) { return db.number(kApplication) == kApplicationId; }

std::string unfit(Connection& db, std::span<const Migration> migrations) {
  const std::int64_t version = db.number(kVersion);
  const int newest = migrations.back().number;
  if (!is_haul_file(db) && db.number(kTables) > 0) return "it is not a haul database";
  if (version > 0 && version < migrations.front().number)
    return fmt::format(
        "it was made by a haul from before the first release (schema {}), whose data this one does "
        "not take over. Use that version, or start with an empty data folder (--data)",
        version);
  if (version > newest)
    return fmt::format(
        "it was made by a newer haul (schema {}; this one knows {}). Use that version, or restore "
        "the backup the upgrade made beside it (haul.db.v{}.bak)",
        version, newest, newest);
  return {};
}

void migrate(Connection& db, std::span<const Migration> migrations,
             const std::function<void(int version)>& backup) {
  if (const std::string why = unfit(db, migrations); !why.empty())
    throw StoreFault{StoreFault::Kind::refused, "cannot open the database: " + why};
  const int version = static_cast<int>(db.number(kVersion));
  const int newest = migrations.back().number;
  if (version == newest) return;
  if (version > 0) backup(version);

  Transaction transaction{db};
  for (const Migration& migration : migrations)
    if (migration.number > version) db.script(std::string{migration.sql});
  db.script(
      fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {};", kApplicationId, newest));
  transaction.commit();
}

void sync_lifecycles(Connection& db) {
  if (in_file(db) == built_in()) return;
  Transaction transaction{db};
  db.run(kNoLifecycles);
  db.run(kNoStates);
  db.run(kNoMoves);
  for (const Lifecycle* table : all_lifecycles()) write_lifecycle(db, *table);
  transaction.commit();
}

void add_initial_rows(Connection& db, Time now) {
  Transaction transaction{db};
  db.run(kAdmin, {now});
  db.run(kSalt);
  db.run(kStoreId);
  transaction.commit();
}

}  // namespace haul::sqlite

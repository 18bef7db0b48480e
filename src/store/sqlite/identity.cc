// Implements Identity on SQLite.

#include <atomic>

#include "store/refusal.h"
#include "store/sqlite/audit.h"
#include "store/sqlite/parts.h"

namespace haul::sqlite {
namespace {

constexpr const char* kId = "SELECT value FROM meta WHERE name = 'store_id'";
constexpr const char* kRestoredAt = "SELECT value FROM meta WHERE name = 'restored_at'";
constexpr const char* kRestored = R"(
INSERT INTO meta (name, value)
VALUES ('restored_at', ?1)
ON CONFLICT (name) DO UPDATE
   SET value = excluded.value)";
constexpr const char* kCleared = "DELETE FROM meta WHERE name = 'restored_at'";

std::string text_of(Connection& db, const char* sql) {
  Query row{db, sql};
  return row.step() ? row.string(0) : std::string{};
}

class SqliteIdentity final : public Identity {
 public:
  explicit SqliteIdentity(Database& database) : database_{database} {
    database_.read([this](Connection& db) {
      id_ = text_of(db, kId);
      restored_ = !text_of(db, kRestoredAt).empty();
    });
    if (id_.empty()) throw StoreFault{StoreFault::Kind::broken, "the file has no store id"};
  }

  const std::string& id() const override { return id_; }
  bool is_restored() const override { return restored_; }

  std::string restored_at() override {
    std::string at;
    database_.read([&](Connection& db) { at = text_of(db, kRestoredAt); });
    return at;
  }

  void mark_restored(Time now) override {
    database_.write(1, [&](Connection& db) { sqlite::mark_restored(db, now); });
    restored_ = true;
  }

  bool clear_restored(UserId by, Time now) override {
    bool was_set = false;
    database_.write(1, [&](Connection& db) {
      const std::string at = text_of(db, kRestoredAt);
      was_set = !at.empty();
      if (!was_set) return;
      db.run(kCleared);
      write_audit(db, {.user = by, .action = "RESTORE_CLEARED", .detail = "restored at " + at},
                  now);
    });
    restored_ = false;
    return was_set;
  }

 private:
  Database& database_;
  std::string id_;
  // Mirrors the file: only one process has the file open, and only this class changes the mark.
  std::atomic<bool> restored_ = false;
};

}  // namespace

void mark_restored(Connection& db, Time now) {
  const std::string at = to_iso(now);
  db.run(kRestored, {at});
}

std::unique_ptr<Identity> make_identity(Database& database) {
  return std::make_unique<SqliteIdentity>(database);
}

}  // namespace haul::sqlite

// Implements Sealed on SQLite.

#include "store/sealed.h"

#include "base/ensure.h"
#include "store/sqlite/parts.h"

namespace haul::sqlite {
namespace {

constexpr const char* kFind = R"(
SELECT text, version
  FROM sealed
 WHERE name = ?1)";

constexpr const char* kFirst = R"(
INSERT INTO sealed (name, text, version, put_at)
VALUES (?1, ?2, 1, ?3)
ON CONFLICT DO NOTHING)";

constexpr const char* kReplace = R"(
UPDATE sealed
   SET text = ?2, version = version + 1, put_at = ?3
 WHERE name = ?1 AND version = ?4)";

class SqliteSealed final : public Sealed {
 public:
  explicit SqliteSealed(Database& database) : database_{database} {}

  std::optional<SealedText> get(const std::string& name) override {
    std::optional<SealedText> found;
    database_.read([&](Connection& db) {
      Query row{db, kFind, {name}};
      if (row.step()) found = SealedText{.text = row.string(0), .version = row.integer(1)};
    });
    return found;
  }

  bool put(const std::string& name, const SealedText& sealed, Time now) override {
    ensure(!name.empty() && !sealed.text.empty() && sealed.version >= 0,
           "a sealed text has a name, a text and a version");
    std::int64_t changed = 0;
    database_.write(1, [&](Connection& db) {
      changed = sealed.version == 0 ? db.run(kFirst, {name, sealed.text, now})
                                    : db.run(kReplace, {name, sealed.text, now, sealed.version});
    });
    return changed == 1;
  }

 private:
  Database& database_;
};

}  // namespace

std::unique_ptr<Sealed> make_sealed(Database& database) {
  return std::make_unique<SqliteSealed>(database);
}

}  // namespace haul::sqlite

// Implements Deliveries on SQLite.

#include "store/deliveries.h"

#include "store/sqlite/parts.h"

namespace haul::sqlite {
namespace {

constexpr const char* kFind = "SELECT file FROM deliveries WHERE fingerprint = ?1";
constexpr const char* kForget = "DELETE FROM deliveries WHERE fingerprint = ?1 AND file = ?2";

// Uses index deliveries_by_age.
constexpr const char* kPrune = R"(
DELETE FROM deliveries
 WHERE fingerprint IN (SELECT fingerprint
                         FROM deliveries
                        WHERE sent_at < ?1
                        ORDER BY sent_at
                        LIMIT ?2))";

class SqliteDeliveries final : public Deliveries {
 public:
  explicit SqliteDeliveries(Database& database) : database_{database} {}

  std::optional<std::string> find(const std::string& fingerprint) override {
    std::optional<std::string> file;
    database_.read([&](Connection& db) {
      Query row{db, kFind, {fingerprint}};
      if (row.step()) file = row.string(0);
    });
    return file;
  }

  void forget(const DeliveryFacts& delivery) override {
    database_.write(
        1, [&](Connection& db) { db.run(kForget, {delivery.fingerprint, delivery.file}); });
  }

  std::size_t prune(Time before, std::size_t limit) override {
    check_size(limit);
    std::int64_t removed = 0;
    database_.write(1, [&](Connection& db) {
      removed = db.run(kPrune, {before, static_cast<std::int64_t>(limit)});
    });
    return static_cast<std::size_t>(removed);
  }

 private:
  Database& database_;
};

}  // namespace

std::unique_ptr<Deliveries> make_deliveries(Database& database) {
  return std::make_unique<SqliteDeliveries>(database);
}

}  // namespace haul::sqlite

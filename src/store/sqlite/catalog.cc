#include "store/catalog.h"

#include <algorithm>

#include "store/reader.h"
#include "store/sqlite/parts.h"

namespace haul::sqlite {
namespace {

constexpr const char* kEnsure = R"(
INSERT INTO books (id, title)
VALUES (?1, ?2)
ON CONFLICT DO NOTHING)";

constexpr const char* kBook = "SELECT id, title, shelf FROM books WHERE id = ?1";

constexpr const char* kBooks = R"(
SELECT id, title, shelf
  FROM books
 WHERE id > ?1
 ORDER BY id
 LIMIT ?2)";

constexpr const char* kOfBook = R"(
SELECT id, job, book, media_type, status, path, size, checksum, source_url, source, created_at
  FROM assets
 WHERE book = ?1
 ORDER BY media_type
 LIMIT 1000)";

constexpr const char* kOfJob = R"(
SELECT id, job, book, media_type, status, path, size, checksum, source_url, source, created_at
  FROM assets
 WHERE job = ?1
 ORDER BY id
 LIMIT 1000)";

constexpr const char* kAssets = R"(
SELECT id, job, book, media_type, status, path, size, checksum, source_url, source, created_at
  FROM assets
 WHERE id > ?1
 ORDER BY id
 LIMIT ?2)";

constexpr const char* kLose = R"(
UPDATE assets
   SET status = ?2, path = NULL, size = NULL, checksum = NULL, removed_at = ?3
 WHERE id = ?1 AND status = 'available')";

Book read_book(const Query& row) { return {row.string(0), row.string(1), row.string(2)}; }

Asset read_asset(const Query& row) {
  Asset asset;
  row.id(0, asset.id);
  row.id(1, asset.job);
  asset.book = row.string(2);
  asset.media_type = row.string(3);
  asset.status = row.string(4);
  asset.path = row.string(5);
  asset.size = row.maybe_integer(6);
  asset.checksum = row.string(7);
  asset.source_url = row.string(8);
  asset.source = row.string(9);
  asset.created_at = row.time(10);
  return asset;
}

class SqliteCatalog final : public Catalog {
 public:
  explicit SqliteCatalog(Database& database) : database_{database} {}

  Book ensure_book(const std::string& id, const std::string& title) override {
    Book book;
    database_.write(1, [&](Connection& db) {
      db.run(kEnsure, {id, title});
      Query row{db, kBook, {id}};
      row.step();
      book = read_book(row);
    });
    return book;
  }

  std::optional<Book> book(const std::string& id) override {
    std::optional<Book> book;
    database_.read([&](Connection& db) {
      Query row{db, kBook, {id}};
      if (row.step()) book = read_book(row);
    });
    return book;
  }

  std::vector<Book> books(const std::string& after, std::size_t limit) override {
    std::vector<Book> books;
    database_.read([&](Connection& db) {
      Query rows{db, kBooks, {after, std::min(limit, kListMax)}};
      while (rows.step()) books.push_back(read_book(rows));
    });
    return books;
  }

  std::vector<Asset> assets_of(const std::string& book) override { return select(kOfBook, {book}); }
  std::vector<Asset> assets_of(JobId job) override { return select(kOfJob, {job}); }
  std::vector<Asset> assets(FileId after, std::size_t limit) override {
    return select(kAssets, {after, std::min(limit, kListMax)});
  }

  bool lose(FileId asset, AssetLoss loss, Time now) override {
    const std::string_view status = loss == AssetLoss::deleted ? "deleted" : "missing";
    bool lost = false;
    database_.write(1, [&](Connection& db) { lost = db.run(kLose, {asset, status, now}) == 1; });
    return lost;
  }

 private:
  std::vector<Asset> select(const char* sql, std::initializer_list<Value> values) {
    std::vector<Asset> assets;
    database_.read([&](Connection& db) {
      Query rows{db, sql, values};
      while (rows.step()) assets.push_back(read_asset(rows));
    });
    return assets;
  }

  Database& database_;
};

}  // namespace

std::unique_ptr<Catalog> make_catalog(Database& database) {
  return std::make_unique<SqliteCatalog>(database);
}

}  // namespace haul::sqlite

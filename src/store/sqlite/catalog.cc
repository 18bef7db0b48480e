// Implements Catalog on SQLite.

#include "store/catalog.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/ensure.h"
#include "store/reader.h"
#include "store/rules/event_data.h"
#include "store/sqlite/parts.h"
#include "store/sqlite/rows.h"

namespace haul::sqlite {
namespace {

constexpr std::int64_t kScanMax = 20'000;  // Books that one page may read.

constexpr const char* kKnown = "SELECT count(*) FROM books WHERE id = ?1";
constexpr const char* kBook = "SELECT id, title, shelf FROM books WHERE id = ?1";

// Uses index books_by_title.
constexpr const char* kBooks = R"(
SELECT id, title, shelf
  FROM books INDEXED BY books_by_title
 WHERE title >= ?1 COLLATE NOCASE
   AND (title > ?1 COLLATE NOCASE OR id > ?2)
 ORDER BY title COLLATE NOCASE, id
 LIMIT ?3)";

// Uses index books_by_shelf.
constexpr const char* kBooksOfShelf = R"(
SELECT id, title, shelf
  FROM books INDEXED BY books_by_shelf
 WHERE shelf = ?4
   AND title >= ?1 COLLATE NOCASE
   AND (title > ?1 COLLATE NOCASE OR id > ?2)
 ORDER BY title COLLATE NOCASE, id
 LIMIT ?3)";

// Uses index books_by_shelf.
constexpr const char* kShelves = R"(
SELECT coalesce(sum(shelf = 'archive'), 0), coalesce(sum(shelf = 'library'), 0)
  FROM books)";

// Uses the primary key of book_jobs, newest first.
constexpr const char* kJobsOf = R"(
SELECT b.job
  FROM book_jobs b JOIN jobs j ON j.id = b.job
 WHERE b.book = ?1
   AND (?2 = 0 OR j.owner = ?2)
   AND (?3 = 0 OR b.job < ?3)
   AND (?4 = 0 OR j."end" = 'open')
   AND j.hidden_at IS NULL
 ORDER BY b.job DESC
 LIMIT ?5)";

constexpr const char* kOfBook = R"(
SELECT a.id, a.job, j.owner, a.book, a.media_type, a.status, a.path, a.size, a.checksum,
       a.source_url, a.source, a.created_at, a.removed_at
  FROM assets a JOIN jobs j ON j.id = a.job
 WHERE a.book = ?1
 ORDER BY a.media_type
 LIMIT 1000)";

// Rides assets_by_job.
constexpr const char* kOfJob = R"(
SELECT a.id, a.job, j.owner, a.book, a.media_type, a.status, a.path, a.size, a.checksum,
       a.source_url, a.source, a.created_at, a.removed_at
  FROM assets a INDEXED BY assets_by_job JOIN jobs j ON j.id = a.job
 WHERE a.job = ?1 AND a.id > ?2
 ORDER BY a.id
 LIMIT 1000)";

// Uses the primary key.
constexpr const char* kAssets = R"(
SELECT a.id, a.job, j.owner, a.book, a.media_type, a.status, a.path, a.size, a.checksum,
       a.source_url, a.source, a.created_at, a.removed_at
  FROM assets a JOIN jobs j ON j.id = a.job
 WHERE a.id > ?1
   AND (?2 = 0 OR j.owner = ?2)
   AND (?3 = '' OR a.status = ?3)
 ORDER BY a.id
 LIMIT ?4)";

// Uses index assets_shelved.
constexpr const char* kShelved = R"(
SELECT a.id, a.job, j.owner, a.book, a.media_type, a.status, a.path, a.size, a.checksum,
       a.source_url, a.source, a.created_at, a.removed_at
  FROM assets a INDEXED BY assets_shelved JOIN jobs j ON j.id = a.job
 WHERE a.book IS NOT NULL AND a.status = 'available' AND a.id > ?1
 ORDER BY a.id
 LIMIT ?2)";

constexpr const char* kLosing = R"(
SELECT job, book, media_type, path
  FROM assets
 WHERE id = ?1 AND status = 'available')";

constexpr const char* kLose = R"(
UPDATE assets
   SET status = ?2, path = NULL, size = NULL, checksum = NULL, removed_at = ?3
 WHERE id = ?1)";

Book read_book(const Query& row) { return {row.string(0), row.string(1), row.string(2)}; }

Asset read_asset(const Query& row) {
  Asset asset;
  row.id(0, asset.id);
  row.id(1, asset.job);
  row.id(2, asset.owner);
  asset.book = row.string(3);
  asset.media_type = row.string(4);
  asset.status = row.string(5);
  asset.path = row.string(6);
  asset.size = row.maybe_integer(7);
  asset.checksum = row.string(8);
  asset.source_url = row.string(9);
  asset.source = row.string(10);
  asset.created_at = row.time(11);
  asset.removed_at = row.maybe_time(12);
  return asset;
}

bool is_called(const Book& book, const std::string& lowered) {
  return lowered.empty() || lower(book.title).find(lowered) != std::string::npos ||
         lower(book.id).find(lowered) != std::string::npos;
}

BookPage read_page(Connection& db, const BookFilter& filter) {
  Book after;
  if (!filter.after.empty()) {
    Query row{db, kBook, {filter.after}};
    if (!row.step()) return {};
    after = read_book(row);
  }
  const std::string wanted = lower(filter.q);
  const std::size_t limit = std::clamp<std::size_t>(filter.limit, 1, kListMax);
  const char* sql = filter.shelf.empty() ? kBooks : kBooksOfShelf;
  Query rows = filter.shelf.empty()
                   ? Query{db, sql, {after.title, after.id, kScanMax + 1}}
                   : Query{db, sql, {after.title, after.id, kScanMax + 1, filter.shelf}};
  BookPage page;
  std::int64_t looked = 0;
  Book last;
  for (; rows.step(); ++looked) {
    if (looked == kScanMax) {  // The next page goes on with this book.
      page.next = last.id;
      break;
    }
    last = read_book(rows);
    if (!is_called(last, wanted)) continue;
    if (page.books.size() == limit) {
      page.next = page.books.back().id;
      break;
    }
    page.books.push_back(last);
  }
  if (!wanted.empty()) page.searched = looked;
  return page;
}

class SqliteCatalog final : public Catalog {
 public:
  explicit SqliteCatalog(Database& database) : database_{database} {}

  Ensured ensure_book(const std::string& id, const std::string& title) override {
    Ensured made;
    database_.write(1, [&](Connection& db) {
      made.is_new = db.number(kKnown, {id}) == 0;
      haul::sqlite::ensure_book(db, id, title);
      Query row{db, kBook, {id}};
      ensure(row.step(), "a book is there after it was added");
      made.book = read_book(row);
    });
    return made;
  }

  std::optional<Book> book(const std::string& id) override {
    std::optional<Book> book;
    database_.read([&](Connection& db) {
      Query row{db, kBook, {id}};
      if (row.step()) book = read_book(row);
    });
    return book;
  }

  BookPage books(const BookFilter& filter) override {
    BookPage page;
    database_.read([&](Connection& db) { page = read_page(db, filter); });
    return page;
  }

  ShelfCounts shelves() override {
    ShelfCounts counts;
    database_.read([&](Connection& db) {
      Query row{db, kShelves};
      ensure(row.step(), "a count has one row");
      counts = {row.integer(0), row.integer(1)};
    });
    return counts;
  }

  std::vector<std::vector<JobId>> jobs_of(std::span<const BookJobs> which) override {
    std::vector<std::vector<JobId>> jobs(which.size());
    database_.read_rows(which.size(), [&](Connection& db) {
      for (std::size_t i = 0; i < which.size(); ++i) {
        const BookJobs& each = which[i];
        Query rows{
            db,
            kJobsOf,
            {each.book, each.owner, each.before, each.open_only, std::min(each.limit, kListMax)}};
        while (rows.step()) jobs[i].emplace_back(rows.integer(0));
      }
    });
    return jobs;
  }

  std::vector<std::vector<Asset>> assets_of(std::span<const std::string> books) override {
    std::vector<std::vector<Asset>> assets(books.size());
    database_.read_rows(books.size(), [&](Connection& db) {
      for (std::size_t i = 0; i < books.size(); ++i) {
        Query rows{db, kOfBook, {books[i]}};
        while (rows.step()) assets[i].push_back(read_asset(rows));
      }
    });
    return assets;
  }
  std::vector<Asset> assets_of(JobId job, FileId after) override {
    return select(kOfJob, {job, after});
  }
  std::vector<Asset> assets(const AssetFilter& filter) override {
    return select(kAssets,
                  {filter.after, filter.owner, filter.status, std::min(filter.limit, kListMax)});
  }
  std::vector<Asset> shelved(FileId after, std::size_t limit) override {
    return select(kShelved, {after, std::min(limit, kListMax)});
  }

  bool lose(FileId asset, AssetLoss loss, Time now) override {
    bool lost = false;
    database_.write(1, [&](Connection& db) {
      JobId job;
      Note note;
      {
        Query row{db, kLosing, {asset}};
        lost = row.step();
        if (!lost) return;
        row.id(0, job);
        rules::LostAsset told{.id = asset, .book = {}, .media_type = row.text(2), .path = {}};
        told.loss = loss;
        if (!row.is_null(1)) told.book = row.text(1);
        if (!row.is_null(3)) told.path = row.text(3);
        note = rules::asset_lost_note(told);
      }
      const auto changed = db.run(kLose, {asset, rules::status_after(loss), now});
      ensure(changed == 1, "a loss changes the file that it names");
      write_note(db, job, note.type, note.data, now);
    });
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

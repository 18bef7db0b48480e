#pragma once
// What has arrived: books on their shelf, and assets.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/id.h"
#include "base/time.h"

namespace haul {

struct Book {
  std::string id;
  std::string title;
  std::string shelf;  // archive or library: drawn from its assets by the database.

  bool operator==(const Book&) const = default;
};

// By title, then id; letters of ASCII in any case.
struct BookFilter {
  std::string shelf;  // Empty: any.
  std::string q;      // In the title or the id; empty: any.
  std::string after;  // Keyset: a book's id; empty: from the first.
  std::size_t limit = 20;
};

// What no index has is looked for in a bounded number of books: a page may be short, or empty, and
// still have a next one.
struct BookPage {
  std::vector<Book> books;
  std::string next;  // Pass as `after`; empty: no more.
};

struct ShelfCounts {
  std::int64_t archive = 0;
  std::int64_t library = 0;

  bool operator==(const ShelfCounts&) const = default;
};

struct Ensured {
  Book book;
  bool is_new = false;
};

struct Asset {
  FileId id;
  JobId job;
  UserId owner;      // Of the job.
  std::string book;  // Empty: not a book's.
  std::string media_type;
  std::string status;  // available, deleted, missing
  std::string path;
  std::optional<std::int64_t> size;
  std::string checksum;
  std::string source_url;
  std::string source;
  Time created_at;
  std::optional<Time> removed_at;  // When its file was found gone.

  bool operator==(const Asset&) const = default;
};

struct AssetFilter {
  UserId owner;        // Of the job; zero: any.
  std::string status;  // Empty: any.
  FileId after;
  std::size_t limit = 20;
};

// The jobs that were to fetch a book, newest first.
struct BookJobs {
  std::string book;
  UserId owner;  // Zero: anybody's.
  JobId before;  // Keyset; zero: from the newest.
  bool open_only = false;
  std::size_t limit = 20;
};

enum class AssetLoss : std::uint8_t { deleted, missing };

class Catalog {
 public:
  virtual ~Catalog() = default;

  // Makes the book if it is new; a known one keeps its title, unless that is only its id.
  virtual Ensured ensure_book(const std::string& id, const std::string& title) = 0;
  virtual std::optional<Book> book(const std::string& id) = 0;
  virtual BookPage books(const BookFilter& filter) = 0;
  virtual ShelfCounts shelves() = 0;
  virtual std::vector<JobId> jobs_of(const BookJobs& which) = 0;

  virtual std::vector<Asset> assets_of(const std::string& book) = 0;  // By media type.
  virtual std::vector<Asset> assets_of(JobId job) = 0;
  virtual std::vector<Asset> assets(const AssetFilter& filter) = 0;  // By id.
  // What books have and should be there: available, by id.
  virtual std::vector<Asset> shelved(FileId after, std::size_t limit) = 0;

  // The file is no longer there: path, size and checksum go, source_url stays, and a note beside
  // the job's moves (ASSET_LOST) says what was where. False: it was not available.
  virtual bool lose(FileId asset, AssetLoss loss, Time now) = 0;
};

}  // namespace haul

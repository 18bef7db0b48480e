#pragma once
// Books with their shelf, and assets: the files that have arrived.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/id.h"
#include "base/time.h"

namespace haul {

struct Book {
  std::string id;
  std::string title;
  std::string shelf;  // archive or library; triggers derive it from the book's assets.

  bool operator==(const Book&) const = default;
};

// Books sorted by title, then id. Sorting and matching ignore the case of ASCII letters.
struct BookFilter {
  std::string shelf;  // Empty for any.
  std::string q;      // Text in the title or the id; empty for any.
  std::string after;  // Keyset: a book's id; empty starts at the first.
  std::size_t limit = 20;
};

// A text search has no index, so a page reads a bounded number of books. It can be short or empty
// and still have a next page.
struct BookPage {
  std::vector<Book> books;
  std::string next;           // Pass as `after`; empty on the last page.
  std::int64_t searched = 0;  // Books that a search read for this page.
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
  UserId owner;      // Owner of the job.
  std::string book;  // Empty if it belongs to no book.
  std::string media_type;
  std::string status;  // available, deleted, missing
  std::string path;
  std::optional<std::int64_t> size;
  std::string checksum;
  std::string source_url;
  std::string source;
  Time created_at;
  std::optional<Time> removed_at;  // When haul found its file gone.

  bool operator==(const Asset&) const = default;
};

struct AssetFilter {
  UserId owner;        // Owner of the job; zero for any.
  std::string status;  // Empty for any.
  FileId after;
  std::size_t limit = 20;
};

// Selects the jobs that were added for a book, newest first.
struct BookJobs {
  std::string book;
  UserId owner;  // Zero for any.
  JobId before;  // Keyset: only ids below this; zero starts at the newest.
  bool open_only = false;
  std::size_t limit = 20;
};

enum class AssetLoss : std::uint8_t { deleted, missing };

class Catalog {
 public:
  virtual ~Catalog() = default;

  // Adds the book if it is new. A known book keeps its title, unless that is only its id.
  virtual Ensured ensure_book(const std::string& id, const std::string& title) = 0;
  virtual std::optional<Book> book(const std::string& id) = 0;
  virtual BookPage books(const BookFilter& filter) = 0;
  virtual ShelfCounts shelves() = 0;
  // One list per entry of `which`, in order.
  virtual std::vector<std::vector<JobId>> jobs_of(std::span<const BookJobs> which) = 0;
  std::vector<JobId> jobs_of(const BookJobs& which) {
    return std::move(jobs_of({&which, 1}).front());
  }

  // One list per book, in the order of `books`, sorted by media type; empty for an unknown book.
  virtual std::vector<std::vector<Asset>> assets_of(std::span<const std::string> books) = 0;
  std::vector<Asset> assets_of(const std::string& book) {
    return std::move(assets_of({&book, 1}).front());
  }
  // The first thousand with ids above `after`, by id. A shorter list is the last page.
  virtual std::vector<Asset> assets_of(JobId job, FileId after = {}) = 0;
  virtual std::vector<Asset> assets(const AssetFilter& filter) = 0;  // Sorted by id.
  // Available assets of books, sorted by id: the files that should be on disk.
  virtual std::vector<Asset> shelved(FileId after, std::size_t limit) = 0;

  // Records that the file is gone: clears path, size and checksum, keeps source_url, and writes
  // what was where into a note of the job (ASSET_LOST). False if the asset was not available.
  virtual bool lose(FileId asset, AssetLoss loss, Time now) = 0;
};

}  // namespace haul

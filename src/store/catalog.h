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

struct Asset {
  FileId id;
  JobId job;
  std::string book;  // Empty: not a book's.
  std::string media_type;
  std::string status;  // available, deleted, missing
  std::string path;
  std::optional<std::int64_t> size;
  std::string checksum;
  std::string source_url;
  std::string source;
  Time created_at;

  bool operator==(const Asset&) const = default;
};

enum class AssetLoss : std::uint8_t { deleted, missing };

class Catalog {
 public:
  virtual ~Catalog() = default;

  // Makes the book if it is new; a known one keeps its title.
  virtual Book ensure_book(const std::string& id, const std::string& title) = 0;
  virtual std::optional<Book> book(const std::string& id) = 0;
  virtual std::vector<Book> books(const std::string& after, std::size_t limit) = 0;

  virtual std::vector<Asset> assets_of(const std::string& book) = 0;
  virtual std::vector<Asset> assets_of(JobId job) = 0;
  virtual std::vector<Asset> assets(FileId after, std::size_t limit) = 0;

  // The file is no longer there: path, size and checksum go, source_url stays.
  virtual bool lose(FileId asset, AssetLoss loss, Time now) = 0;
};

}  // namespace haul

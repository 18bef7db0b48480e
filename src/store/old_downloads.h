#pragma once
// Reads the database of an older program that keeps its downloads as document 001 has them (Z-17).
// Never writes to it.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace haul {

struct OldFile {
  std::string path;
  std::optional<std::int64_t> size;

  bool operator==(const OldFile&) const = default;
};

// A row of the table `downloads`, and what the tables beside it say of it. What the database does
// not have is empty.
struct OldDownload {
  std::string id;
  std::string status;
  std::string title;
  std::string release_name;
  std::string kind;  // "movie" or "series".
  std::optional<std::int64_t> year{};
  std::optional<std::int64_t> season{};
  std::optional<std::int64_t> episode{};
  std::string added_at;  // As the database has it.
  std::string completed_at;
  std::string last_transition_at;
  std::vector<OldFile> files{};  // In the library, at most kOldFilesMax + 1.

  bool operator==(const OldDownload&) const = default;
};

inline constexpr std::size_t kOldFilesMax = 4'000;  // Of one download.

class OldDownloads {
 public:
  virtual ~OldDownloads() = default;

  virtual std::size_t count() = 0;
  // The next rows, in their order; none at the end. All calls see the database at one time.
  virtual std::vector<OldDownload> next(std::size_t limit) = 0;
};

// Throws StoreFault::refused, which says what is wrong, if the file is not such a database.
std::unique_ptr<OldDownloads> open_old_downloads(const std::filesystem::path& file);

}  // namespace haul

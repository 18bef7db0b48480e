#pragma once
// The files that a job may remove later, with their identity at the time they were listed. haul
// deletes nothing else on a job's behalf.

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "store/items.h"

namespace haul {

enum class MadeBy : std::uint8_t { client, haul };
enum class Removal : std::uint8_t { deleted, trashed, kept_unsafe, already_gone };

struct ManifestEntry {
  FileId id;
  MadeBy made_by = MadeBy::client;
  std::string root;
  std::string path;  // Beneath the root, never absolute, never empty.
  std::int64_t device = 0;
  std::int64_t inode = 0;
  std::int64_t size = 0;
  std::int64_t mtime_ns = 0;

  bool operator==(const ManifestEntry&) const = default;
};

// An entry, and what has become of its file since.
struct ManifestFile {
  ManifestEntry entry;
  std::optional<Removal> outcome;    // No value until it is settled.
  bool is_wanted_elsewhere = false;  // Another open job lists the same file and has not settled it.

  bool operator==(const ManifestFile&) const = default;
};

class Manifest {
 public:
  virtual ~Manifest() = default;

  // Lists files, if the worker still holds the lease. Replaces an entry with the same root and
  // path.
  virtual std::expected<void, Refusal> list(const Hold& hold,
                                            std::span<const ManifestEntry> entries) = 0;
  // Entries that are not settled yet, in path order.
  virtual std::vector<ManifestEntry> of(JobId job, std::size_t limit) = 0;
  // All entries after this one, settled ones too, by id.
  virtual std::vector<ManifestFile> all(JobId job, FileId after, std::size_t limit) = 0;
  // Records what became of a file. False if the lease is lost or the entry is settled already.
  virtual bool settle(const Hold& hold, FileId file, Removal outcome, Time now) = 0;
};

}  // namespace haul

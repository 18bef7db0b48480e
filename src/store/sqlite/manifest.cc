// Implements Manifest on SQLite.

#include "store/manifest.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/ensure.h"
#include "store/reader.h"
#include "store/sqlite/parts.h"
#include "store/sqlite/rows.h"

namespace haul::sqlite {
namespace {

constexpr const char* kList = R"(
INSERT INTO files (job, made_by, root, path, device, inode, size, mtime_ns)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
ON CONFLICT (job, root, path) DO UPDATE
   SET made_by = excluded.made_by, device = excluded.device, inode = excluded.inode,
       size = excluded.size, mtime_ns = excluded.mtime_ns, gone_at = NULL, outcome = NULL)";

constexpr const char* kOf = R"(
SELECT id, made_by, root, path, device, inode, size, mtime_ns
  FROM files
 WHERE job = ?1 AND gone_at IS NULL
 ORDER BY root, path
 LIMIT ?2)";

// The same file may have another path in the other job's manifest: a link has the same inode. Rides
// files_by_inode.
constexpr const char* kAll = R"(
SELECT id, made_by, root, path, device, inode, size, mtime_ns, outcome,
       EXISTS (SELECT 1
                 FROM files AS other
                 JOIN jobs ON jobs.id = other.job
                WHERE other.inode = files.inode AND other.device = files.device
                  AND other.job <> files.job AND other.gone_at IS NULL AND jobs."end" = 'open')
  FROM files
 WHERE job = ?1 AND id > ?2
 ORDER BY id
 LIMIT ?3)";

constexpr const char* kSettle = R"(
UPDATE files
   SET gone_at = ?3, outcome = ?4
 WHERE id = ?1 AND job = ?2 AND gone_at IS NULL)";

constexpr std::array<std::string_view, 2> kMakers{"client", "haul"};
constexpr std::array<std::string_view, 4> kOutcomes{"deleted", "trashed", "kept_unsafe",
                                                    "already_gone"};

ManifestEntry read_entry(const Query& row) {
  ensure(std::ranges::find(kMakers, row.text(1)) != kMakers.end(), "a listed file has a maker");
  ManifestEntry entry;
  row.id(0, entry.id);
  entry.made_by = row.text(1) == kMakers[0] ? MadeBy::client : MadeBy::haul;
  entry.root = row.string(2);
  entry.path = row.string(3);
  entry.device = row.integer(4);
  entry.inode = row.integer(5);
  entry.size = row.integer(6);
  entry.mtime_ns = row.integer(7);
  return entry;
}

ManifestFile read_file(const Query& row) {
  ManifestFile file{.entry = read_entry(row), .outcome = {}};
  const auto* const outcome = std::ranges::find(kOutcomes, row.text(8));
  if (outcome != kOutcomes.end()) file.outcome = static_cast<Removal>(outcome - kOutcomes.begin());
  file.is_wanted_elsewhere = row.flag(9);
  return file;
}

// True if the path lies beneath its root: relative, and without empty, "." or ".." components.
bool is_beneath(const std::string& path) {
  const std::filesystem::path parts{path};
  if (path.empty() || parts.is_absolute() || path.find("//") != std::string::npos) return false;
  return std::ranges::none_of(parts, [](const std::filesystem::path& part) {
    return part.empty() || part == "." || part == "..";
  });
}

Refusal lease_gone() { return {RefusalKind::stale, "not_leased", "the lease is not this one"}; }

class SqliteManifest final : public Manifest {
 public:
  explicit SqliteManifest(Database& database) : database_{database} {}

  std::expected<void, Refusal> list(const Hold& hold,
                                    std::span<const ManifestEntry> entries) override {
    for (const ManifestEntry& entry : entries)
      if (!is_beneath(entry.path) || !std::filesystem::path{entry.root}.is_absolute())
        return std::unexpected{Refusal{RefusalKind::guarded, "bad_path",
                                       fmt::format("'{}' is not beneath its root", entry.path)}};
    check_size(entries.size());
    std::expected<void, Refusal> answer;
    database_.write(entries.size(), [&](Connection& db) {
      answer = {};
      if (!holds(db, hold)) {
        answer = std::unexpected{lease_gone()};
        return;
      }
      for (const ManifestEntry& e : entries)
        db.run(kList, {hold.job, kMakers.at(static_cast<std::size_t>(e.made_by)), e.root, e.path,
                       e.device, e.inode, e.size, e.mtime_ns});
    });
    return answer;
  }

  std::vector<ManifestEntry> of(JobId job, std::size_t limit) override {
    std::vector<ManifestEntry> entries;
    database_.read([&](Connection& db) {
      Query rows{db, kOf, {job, std::min(limit, kListMax)}};
      while (rows.step()) entries.push_back(read_entry(rows));
    });
    return entries;
  }

  std::vector<ManifestFile> all(JobId job, FileId after, std::size_t limit) override {
    std::vector<ManifestFile> files;
    database_.read([&](Connection& db) {
      Query rows{db, kAll, {job, after, std::min(limit, kListMax)}};
      while (rows.step()) files.push_back(read_file(rows));
    });
    return files;
  }

  bool settle(const Hold& hold, FileId file, Removal outcome, Time now) override {
    bool settled = false;
    database_.write(1, [&](Connection& db) {
      settled = holds(db, hold) &&
                db.run(kSettle,
                       {file, hold.job, now, kOutcomes.at(static_cast<std::size_t>(outcome))}) == 1;
    });
    return settled;
  }

 private:
  Database& database_;
};

}  // namespace

std::unique_ptr<Manifest> make_manifest(Database& database) {
  return std::make_unique<SqliteManifest>(database);
}

}  // namespace haul::sqlite

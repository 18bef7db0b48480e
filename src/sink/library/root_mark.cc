#include "sink/library/root_mark.h"

#include <fmt/core.h>

#include <string>

#include "base/hash.h"
#include "base/text.h"
#include "io/file/entries.h"

namespace haul::library {
namespace {

namespace fs = std::filesystem;

const std::string kMark{kRootMark};
constexpr std::string_view kAbout =
    "haul put this file here. If it is gone, haul takes the disk for not mounted, and imports "
    "nothing into this folder until the file is back.\n";

// A root has one record, however its path is written. Its name:
std::string record_of(const fs::path& path) {
  const fs::path normal = path.lexically_normal();
  return sha256_hex((normal.has_filename() ? normal : normal.parent_path()).string());
}

bool has_file(const io::Descriptor& folder, const std::string& name) {
  const auto seen = io::seen_in(folder, name);
  return seen && seen->is == io::EntrySeen::Is::file;
}

// Imports that write the same file at once take its part from each other. One of them has put it
// into place.
Result<void> put_file(const io::EntryName& entry, std::string_view text) {
  auto written = io::write_own_file(entry, text);
  if (!written && has_file(entry.folder, entry.name)) return {};
  return written;
}

// The mark is there before the record: a crash in between leaves no root that haul refuses.
Result<void> mark_root(const fs::path& records, const io::Descriptor& root, const fs::path& path) {
  if (records.empty()) return {};
  if (auto made = io::Folder::open(records, io::Folder::Missing::create); !made)
    return std::unexpected{made.error()};
  const auto recorded = io::open_root(records);
  if (!recorded) return std::unexpected{recorded.error()};
  const std::string record = record_of(path);
  // In this order: another import may mark and record the root in between.
  const bool is_recorded = has_file(*recorded, record);
  const bool is_marked = has_file(root, kMark);
  if (is_recorded && !is_marked)
    return std::unexpected{
        Fault{FaultKind::environment, "root_not_mounted",
              fmt::format("{} lacks the file {}, which haul put there: mount its disk. If this is "
                          "another disk on purpose, create an empty file of that name in it",
                          printable(path.string()), kRootMark)}};
  if (!is_marked)
    if (auto written = put_file({root, kMark}, kAbout); !written) return written;
  if (is_recorded) return {};
  return put_file({*recorded, record}, path.string() + "\n");
}

}  // namespace

// No job is at fault for a folder of haul's own, so none fails for good.
Result<void> use_root(const fs::path& records, const io::Descriptor& root, const fs::path& path) {
  auto marked = mark_root(records, root, path);
  if (!marked) marked.error().kind = FaultKind::environment;
  return marked;
}

bool is_mark_gone(const fs::path& records, const fs::path& path) {
  const auto recorded = records.empty() ? std::unexpected{Fault{}} : io::open_root(records);
  const auto root = io::open_root(path);
  return recorded && has_file(*recorded, record_of(path)) && !(root && has_file(*root, kMark));
}

}  // namespace haul::library

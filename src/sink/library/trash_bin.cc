#include "sink/library/trash_bin.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/ensure.h"
#include "io/file/filename.h"

namespace haul::library {
namespace {

constexpr std::size_t kUsedMax = 64;  // Open folders at a time.
constexpr int kNumbersMax = 1'000;

std::unexpected<Fault> no_trash(const std::string& why) {
  return std::unexpected{Fault{FaultKind::environment, "no_trash",
                               fmt::format("cannot use {}: {}", kTrashFolder, why)}};
}

// The number of a source's row, or of rows if it has none.
std::size_t row_number(const std::vector<TrashedFile>& rows, const SourceFile& source) {
  const auto row =
      std::ranges::find_if(rows, [&](const TrashedFile& each) { return each.is(source); });
  return static_cast<std::size_t>(row - rows.begin());
}

// A path that another file has in the trash gets a number.
std::string free_name(const JobTrash& trash, const std::vector<TrashedFile>& rows,
                      const std::string& path) {
  const io::SplitPath split = io::split_path(path);
  const std::string before = split.folder.empty() ? "" : split.folder + "/";
  const auto is_used = [&](const std::string& kept) {
    return std::ranges::find(rows, kept, &TrashedFile::kept) != rows.end() ||
           trash.find({.path = path, .kept = kept}).has_value();
  };
  std::string kept = path;
  for (int n = 2; is_used(kept) && n < kNumbersMax; ++n)
    kept = before + io::numbered(split.name, n);
  return kept;
}

}  // namespace

Result<TrashBin> TrashBin::open(const io::Descriptor& root, const TrashOwner& owner) {
  auto trash = JobTrash::open(root, owner, JobTrash::Missing::create);
  if (trash) return TrashBin{*std::move(trash)};
  if (trash.error().code == "trash_busy") return std::unexpected{trash.error()};
  return no_trash(trash.error().detail);
}

// A file that an earlier clean announced and did not move is as old as its move.
Result<void> TrashBin::announce(std::span<const SourceFile> files, Time now) {
  std::vector<TrashedFile> rows = trash_.rows();
  for (const SourceFile& file : files)
    if (const std::size_t n = row_number(rows, file); n < rows.size()) {
      if (trash_.is_gone(rows[n])) rows[n].at = now;
    } else if (may_be_trashed(file.path)) {
      rows.push_back({.path = file.path,
                      .kept = free_name(trash_, rows, file.path),
                      .inode = file.inode,
                      .size = file.size,
                      .mtime_ns = file.mtime_ns,
                      .at = now});
    }
  return trash_.set_rows(std::move(rows));
}

const TrashedFile* TrashBin::row_of(const SourceFile& source) const {
  const std::size_t n = row_number(trash_.rows(), source);
  return n < trash_.rows().size() ? &trash_.rows()[n] : nullptr;
}

bool TrashBin::has(const SourceFile& source) const {
  const TrashedFile* row = row_of(source);
  if (!row) return false;
  const auto place = trash_.find(*row);
  return place && row->is(place->seen);
}

Result<const io::Descriptor*> TrashBin::folder_of_kept(const std::string& kept) {
  const std::string path = io::split_path(kept).folder;
  if (const auto used = used_.find(path); used != used_.end()) return &used->second;
  if (used_.size() >= kUsedMax)
    if (auto flushed = flush(); !flushed) return std::unexpected{flushed.error()};
  auto folder = trash_.make_folder_of(kept);
  if (!folder) return std::unexpected{folder.error()};
  return &used_.emplace(path, *std::move(folder)).first->second;
}

Result<void> TrashBin::take(const io::EntryName& entry, const SourceFile& source) {
  const TrashedFile* row = row_of(source);
  ensure(row != nullptr, "a source is announced before it is moved to the trash");
  const auto folder = folder_of_kept(row->kept);
  if (!folder) return std::unexpected{folder.error()};
  const std::string name = io::split_path(row->kept).name;
  auto moved = io::move_entry(entry, {**folder, name});
  if (!moved && moved.error().code == "other_file_system") return no_trash(moved.error().detail);
  return moved;
}

Result<void> TrashBin::flush() {
  for (const auto& [path, folder] : used_)
    if (auto flushed = io::flush_names(folder); !flushed) return flushed;
  used_.clear();
  return {};
}

}  // namespace haul::library

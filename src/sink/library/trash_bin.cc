#include "sink/library/trash_bin.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "io/file/filename.h"
#include "sink/library/source.h"

namespace haul::library {
namespace {

using io::Mounts;

constexpr std::size_t kUsedMax = 64;  // Open folders at a time.

std::string files_path(const std::string& folder) {
  return folder.empty() ? std::string{kTrashFiles} : fmt::format("{}/{}", kTrashFiles, folder);
}

std::unexpected<Fault> swapped(const SourceFile& source) {
  return std::unexpected{
      Fault{FaultKind::rejected, "source_changed",
            fmt::format("another file took the name of {}", shown_source(source))}};
}

}  // namespace

Result<TrashBin> TrashBin::open(const io::Descriptor& root, const TrashOwner& owner) {
  auto folder = io::make_folder_beneath(root, fmt::format("{}/{}", kTrashFolder, owner.folder()),
                                        Mounts::stay);
  if (!folder) return std::unexpected{folder.error()};
  auto rows = read_trash_index(*folder);
  if (!rows) return std::unexpected{rows.error()};
  TrashBin bin{*std::move(folder)};
  bin.rows_ = *std::move(rows);
  return bin;
}

const TrashedFile* TrashBin::row_of(const SourceFile& source) const {
  const auto row =
      std::ranges::find_if(rows_, [&](const TrashedFile& each) { return each.is(source); });
  return row == rows_.end() ? nullptr : &*row;
}

// A path that an earlier file of this job has here gets a number.
std::string TrashBin::free_name(const std::string& path) const {
  const io::SplitPath split = io::split_path(path);
  const std::string before = split.folder.empty() ? "" : split.folder + "/";
  const auto is_used = [this](const std::string& kept) {
    return std::ranges::find(rows_, kept, &TrashedFile::kept) != rows_.end();
  };
  std::string kept = path;
  for (int n = 2; is_used(kept) && n < 1'000; ++n) kept = before + io::numbered(split.name, n);
  return kept;
}

Result<void> TrashBin::announce(std::span<const SourceFile> files, Time now) {
  auto changed = change_trash_index(folder_, [&](std::vector<TrashedFile>& rows) {
    rows_ = rows;  // Another thread may have changed it.
    for (const SourceFile& file : files)
      if (!row_of(file))
        rows_.push_back({.path = file.path,
                         .kept = free_name(file.path),
                         .inode = file.inode,
                         .size = file.size,
                         .mtime_ns = file.mtime_ns,
                         .at = now});
    rows = rows_;
  });
  if (!changed) return std::unexpected{changed.error()};
  return {};
}

bool TrashBin::has(const SourceFile& source) const {
  const TrashedFile* row = row_of(source);
  if (!row) return false;
  const io::SplitPath split = io::split_path(row->kept);
  const auto folder = io::open_folder_beneath(folder_, files_path(split.folder), Mounts::stay);
  const auto seen = folder ? io::seen_in(*folder, split.name) : std::nullopt;
  return seen && row->is(*seen);
}

Result<const io::Descriptor*> TrashBin::folder_of_kept(const std::string& kept) {
  const std::string path = files_path(io::split_path(kept).folder);
  if (const auto used = used_.find(path); used != used_.end()) return &used->second;
  if (used_.size() >= kUsedMax)
    if (auto flushed = flush(); !flushed) return std::unexpected{flushed.error()};
  auto folder = io::make_folder_beneath(folder_, path, Mounts::stay);
  if (!folder) return std::unexpected{folder.error()};
  return &used_.emplace(path, *std::move(folder)).first->second;
}

Result<void> TrashBin::take(const io::EntryName& entry, const SourceFile& source) {
  const TrashedFile* row = row_of(source);
  if (!row) return swapped(source);
  const auto folder = folder_of_kept(row->kept);
  if (!folder) return std::unexpected{folder.error()};
  const std::string name = io::split_path(row->kept).name;
  if (auto taken = io::take_entry(entry, {**folder, name}); !taken) return taken;
  const auto seen = io::seen_in(**folder, name);
  if (seen && is_listed(*seen, source)) return {};
  if (auto back = io::move_entry({**folder, name}, entry); !back) return back;
  return swapped(source);
}

Result<void> TrashBin::flush() {
  for (const auto& [path, folder] : used_)
    if (auto flushed = io::flush_names(folder); !flushed) return flushed;
  used_.clear();
  return {};
}

}  // namespace haul::library

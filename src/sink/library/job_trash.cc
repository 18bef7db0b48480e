#include "sink/library/job_trash.h"

#include <fmt/core.h>

#include <utility>

#include "base/text.h"
#include "sink/library/set_aside.h"

namespace haul::library {
namespace {

using io::Mounts;

constexpr int kTriesMax = 3;
const std::string kFiles = "files";

// The folder that has a kept file, below the job's folder.
std::string folder_of(const std::string& kept) {
  const std::string folder = io::split_path(kept).folder;
  return folder.empty() ? kFiles : kFiles + "/" + folder;
}

std::string path_of(const TrashOwner& owner) {
  return fmt::format("{}/{}", kTrashFolder, owner.folder());
}

template <typename T>
bool is_not_found(const Result<T>& found) {
  return !found && found.error().code == "not_found";
}

std::unexpected<Fault> no_file(const TrashedFile& row) {
  return std::unexpected{Fault{FaultKind::permanent, "not_a_file",
                               printable(row.kept) + " is no regular file in the trash"}};
}

std::unexpected<Fault> busy() {
  return std::unexpected{
      Fault{FaultKind::environment, "trash_busy", "haul uses the trash of this job; try again"}};
}

}  // namespace

Result<TrashLook> TrashLook::open(const io::Descriptor& root, const TrashOwner& owner) {
  auto folder = io::open_folder_beneath(root, path_of(owner), Mounts::stay);
  if (!folder) return std::unexpected{folder.error()};
  auto rows = read_trash_index(*folder);
  if (!rows) return std::unexpected{rows.error()};
  return TrashLook{.folder = *std::move(folder), .rows = *std::move(rows)};
}

Result<io::EntrySeen> TrashLook::find(const TrashedFile& row, const TrashOwner& owner) const {
  const auto in = io::open_folder_beneath(folder, folder_of(row.kept), Mounts::stay);
  if (!in) return std::unexpected{in.error()};
  auto seen = io::look_in(*in, io::split_path(row.kept).name);
  if (is_not_found(seen)) seen = io::look_in(*in, aside_name(owner, row.inode));
  if (seen && seen->is != io::EntrySeen::Is::file) return no_file(row);
  return seen;
}

// The last user of the folder may have removed it between its opening and its lock.
Result<JobTrash> JobTrash::open(const io::Descriptor& root, const TrashOwner& owner,
                                Missing missing) {
  for (int tries = 0; tries < kTriesMax; ++tries) {
    const std::string path = path_of(owner);
    const auto folder = missing == Missing::create
                            ? io::make_folder_beneath(root, path, Mounts::stay)
                            : io::open_folder_beneath(root, path, Mounts::stay);
    if (!folder) return std::unexpected{folder.error()};
    auto lock = io::NamesLock::try_take(*folder);
    if (!lock) return busy();
    auto look = TrashLook::open(root, owner);
    if (!look && look.error().code == "not_found") continue;
    if (!look) return std::unexpected{look.error()};
    if (!io::is_same_file(io::seen_of(*folder), io::seen_of(look->folder))) continue;
    auto trash = io::open_folder_beneath(root, kTrashFolder, Mounts::stay);
    if (!trash) return std::unexpected{trash.error()};
    return JobTrash{owner, *std::move(lock), *std::move(trash), *std::move(look)};
  }
  return busy();
}

Result<void> JobTrash::set_rows(std::vector<TrashedFile> rows) {
  if (rows == look_.rows) return {};
  if (auto written = write_trash_index(look_.folder, rows); !written) return written;
  look_.rows = std::move(rows);
  return {};
}

Result<TrashPlace> JobTrash::find(const TrashedFile& row) const {
  auto folder = io::open_folder_beneath(look_.folder, folder_of(row.kept), Mounts::stay);
  if (!folder) return std::unexpected{folder.error()};
  const auto aside = io::look_in(*folder, aside_of(row));
  if (!aside && !is_not_found(aside)) return std::unexpected{aside.error()};
  std::string name = io::find_set_aside(*folder, io::split_path(row.kept).name, aside_of(row));
  const auto seen = io::look_in(*folder, name);
  if (!seen) return std::unexpected{seen.error()};
  if (seen->is != io::EntrySeen::Is::file) return no_file(row);
  return TrashPlace{.folder = *std::move(folder), .name = std::move(name), .seen = *seen};
}

bool JobTrash::is_gone(const TrashedFile& row) const { return is_not_found(find(row)); }

Result<io::Descriptor> JobTrash::make_folder_of(const std::string& kept) const {
  return io::make_folder_beneath(look_.folder, folder_of(kept), Mounts::stay);
}

std::string JobTrash::aside_of(const TrashedFile& row) const {
  return aside_name(owner_, row.inode);
}

Result<void> JobTrash::tidy(const IsOver& is_over) {
  std::vector<TrashedFile> left;
  for (const TrashedFile& row : look_.rows)
    if (!is_over(row) || !is_gone(row))
      left.push_back(row);
    else
      remove_folders(folder_of(row.kept));
  if (auto written = set_rows(std::move(left)); !written) return written;
  if (!look_.rows.empty()) return {};
  // Also what a crash left half written.
  if (auto written = write_trash_index(look_.folder, {}); !written) return written;
  io::remove_empty_folder({look_.folder, kFiles});
  io::remove_empty_folder({trash_, owner_.folder()});
  return {};
}

void JobTrash::remove_folders(std::string path) const {
  while (path != kFiles) {
    const io::SplitPath split = io::split_path(path);
    const auto above = io::open_folder_beneath(look_.folder, split.folder, Mounts::stay);
    if (!above || !io::remove_empty_folder({*above, split.name})) return;
    path = split.folder;
  }
}

}  // namespace haul::library

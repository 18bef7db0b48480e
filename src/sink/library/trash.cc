#include "sink/library/trash.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <optional>
#include <utility>

#include "base/text.h"
#include "sink/library/source.h"

namespace haul::library {
namespace {

namespace fs = std::filesystem;
using io::Mounts;

constexpr std::size_t kJobsMax = 100'000;

// "a1b2c3d4e5f6-7". No value for other names.
std::optional<TrashOwner> owner_of(const std::string& folder) {
  const std::size_t dash = folder.rfind('-');
  if (dash == std::string::npos || dash == 0) return std::nullopt;
  TrashOwner owner{.store = folder.substr(0, dash), .job = {}};
  const char* const end = folder.data() + folder.size();
  const auto read = std::from_chars(folder.data() + dash + 1, end, owner.job.value);
  if (read.ec != std::errc{} || read.ptr != end || owner.folder() != folder) return std::nullopt;
  return owner;
}

// The trash of one job, to change what it has.
class JobTrash {
 public:
  // Fault `not_found` if the root has no trash of this job.
  static Result<JobTrash> open(const io::Descriptor& root, const TrashOwner& owner) {
    auto trash = io::open_folder_beneath(root, kTrashFolder, Mounts::stay);
    if (!trash) return std::unexpected{trash.error()};
    auto folder = io::open_folder_beneath(*trash, owner.folder(), Mounts::stay);
    if (!folder) return std::unexpected{folder.error()};
    auto rows = read_trash_index(*folder);
    if (!rows) return std::unexpected{rows.error()};
    return JobTrash{*std::move(trash), *std::move(folder), owner, *std::move(rows)};
  }

  const std::vector<TrashedFile>& rows() const { return rows_; }

  // The folder that has a file of the trash. No value if the file is gone or another.
  std::optional<io::Descriptor> find(const TrashedFile& row) const {
    const io::SplitPath split = io::split_path(row.kept);
    auto folder = io::open_folder_beneath(folder_, path_of(split.folder), Mounts::stay);
    const auto seen = folder ? io::seen_in(*folder, split.name) : std::nullopt;
    if (!seen || !row.is(*seen)) return std::nullopt;
    return *std::move(folder);
  }

  // Forgets the rows that are over and have no file, and removes the folders that are left empty. A
  // row without a file that is not over belongs to a clean that goes on.
  Result<void> tidy(const std::function<bool(const TrashedFile&)>& is_over) {
    const auto is_gone = [&](const TrashedFile& row) { return is_over(row) && !find(row); };
    for (const TrashedFile& row : rows_)
      if (is_gone(row)) remove_folders(io::split_path(row.kept).folder);
    const auto left = change_trash_index(
        folder_, [&](std::vector<TrashedFile>& rows) { std::erase_if(rows, is_gone); });
    if (!left) return std::unexpected{left.error()};
    if (!left->empty()) return {};
    io::remove_empty_folder({folder_, std::string{kTrashFiles}});
    io::remove_empty_folder({trash_, owner_.folder()});
    return {};
  }

 private:
  JobTrash(io::Descriptor trash, io::Descriptor folder, TrashOwner owner,
           std::vector<TrashedFile> rows)
      : trash_{std::move(trash)},
        folder_{std::move(folder)},
        owner_{std::move(owner)},
        rows_{std::move(rows)} {}

  static std::string path_of(const std::string& folder) {
    return folder.empty() ? std::string{kTrashFiles} : fmt::format("{}/{}", kTrashFiles, folder);
  }

  void remove_folders(std::string path) const {
    while (!path.empty()) {
      const io::SplitPath split = io::split_path(path);
      const auto above = io::open_folder_beneath(folder_, path_of(split.folder), Mounts::stay);
      if (!above || !io::remove_empty_folder({*above, split.name})) return;
      path = split.folder;
    }
  }

  io::Descriptor trash_;
  io::Descriptor folder_;
  TrashOwner owner_;
  std::vector<TrashedFile> rows_;
};

Result<void> put_back(const io::Descriptor& root, const io::Descriptor& from,
                      const TrashedFile& row) {
  const io::SplitPath place = io::split_path(row.path);
  const auto folder = place.folder.empty()
                          ? io::open_folder_beneath(root, {}, Mounts::stay)
                          : io::make_folder_beneath(root, place.folder, Mounts::stay);
  if (!folder) return std::unexpected{folder.error()};
  const std::string name = io::split_path(row.kept).name;
  if (auto moved = io::move_entry({from, name}, {*folder, place.name}); !moved) return moved;
  return io::flush_names(*folder);
}

std::string sentence(const TrashedFile& row, const Fault& fault) {
  const std::string why = fault.code == "name_taken" ? "another file has its place" : fault.detail;
  return fmt::format("{}: {}", printable(row.path), why);
}

// The jobs that have something in the trash, in the order of their names.
std::vector<TrashOwner> owners_in(const io::Descriptor& root) {
  std::vector<TrashOwner> owners;
  const auto trash = io::open_folder_beneath(root, kTrashFolder, Mounts::stay);
  if (!trash) return owners;
  std::vector<std::string> names = io::names_in(*trash, kJobsMax);
  std::ranges::sort(names);
  for (const std::string& name : names)
    if (auto owner = owner_of(name)) owners.push_back(*std::move(owner));
  return owners;
}

void delete_old(const JobTrash& job, Time until, EmptiedTrash& emptied) {
  for (const TrashedFile& row : job.rows()) {
    if (row.at > until) continue;
    const auto folder = job.find(row);
    if (!folder) continue;
    const std::string name = io::split_path(row.kept).name;
    if (auto removed = io::remove_file({*folder, name}); !removed) {
      emptied.kept.push_back(sentence(row, removed.error()));
      continue;
    }
    ++emptied.files;
    emptied.bytes += row.size;
  }
}

}  // namespace

Result<TrashList> list_trash(const fs::path& root) {
  const auto opened = io::open_root(root);
  if (!opened) return std::unexpected{opened.error()};
  TrashList list;
  for (const TrashOwner& owner : owners_in(*opened)) {
    const auto job = JobTrash::open(*opened, owner);
    if (!job) ++list.left_out;
    if (!job) continue;
    std::vector<TrashedFile> rows = job->rows();
    std::erase_if(rows, [&](const TrashedFile& row) { return !job->find(row); });
    std::ranges::sort(rows, {}, &TrashedFile::path);
    for (TrashedFile& row : rows) list.files.push_back({.owner = owner, .file = std::move(row)});
  }
  return list;
}

Result<RestoredTrash> restore_trash(const fs::path& root, const TrashOwner& owner,
                                    const std::string& path) {
  const auto opened = io::open_root(root);
  if (!opened) return std::unexpected{opened.error()};
  auto job = JobTrash::open(*opened, owner);
  if (!job) return std::unexpected{job.error()};
  RestoredTrash done;
  for (const TrashedFile& row : job->rows()) {
    const auto folder = path.empty() || row.path == path ? job->find(row) : std::nullopt;
    if (!folder) continue;
    if (const auto back = put_back(*opened, *folder, row); back)
      done.restored.push_back(row.path);
    else
      done.kept.push_back(sentence(row, back.error()));
  }
  if (done.restored.empty() && done.kept.empty())
    return std::unexpected{
        Fault{FaultKind::permanent, "not_found",
              fmt::format("the trash has no {} of job {}", path.empty() ? "file" : printable(path),
                          owner.job.value)}};
  const auto is_restored = [&](const TrashedFile& row) {
    return std::ranges::find(done.restored, row.path) != done.restored.end();
  };
  if (auto tidied = job->tidy(is_restored); !tidied) return std::unexpected{tidied.error()};
  return done;
}

Result<EmptiedTrash> empty_trash(const fs::path& root, Time until) {
  const auto opened = io::open_root(root);
  if (!opened) return std::unexpected{opened.error()};
  EmptiedTrash emptied;
  for (const TrashOwner& owner : owners_in(*opened)) {
    auto job = JobTrash::open(*opened, owner);
    if (!job) {
      emptied.kept.push_back(fmt::format("{}: {}", owner.folder(), job.error().detail));
      continue;
    }
    delete_old(*job, until, emptied);
    const auto is_old = [until](const TrashedFile& row) { return row.at <= until; };
    if (auto tidied = job->tidy(is_old); !tidied)
      emptied.kept.push_back(fmt::format("{}: {}", owner.folder(), tidied.error().detail));
  }
  return emptied;
}

}  // namespace haul::library

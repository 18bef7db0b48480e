#include "sink/library/trash.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/json.h"
#include "base/text.h"
#include "sink/library/job_trash.h"
#include "sink/library/set_aside.h"

namespace haul::library {
namespace {

using io::Mounts;

constexpr std::size_t kNamesMax = 100'000;

// A file that is there again counts as put back, so a restore that was cut off can be repeated.
Result<void> put_back(const io::Descriptor& root, const TrashPlace& from, const std::string& path) {
  const io::SplitPath place = io::split_path(path);
  const auto folder = place.folder.empty()
                          ? io::open_folder_beneath(root, {}, Mounts::stay)
                          : io::make_folder_beneath(root, place.folder, Mounts::stay);
  if (!folder) return std::unexpected{folder.error()};
  if (auto moved = io::move_entry({from.folder, from.name}, {*folder, place.name}); !moved)
    return moved;
  return io::flush_names(*folder);
}

std::string sentence(const TrashedFile& row, const Fault& fault) {
  const std::string why = fault.code == "name_taken" ? "another file has its place" : fault.detail;
  return fmt::format("{}: {}", printable(row.path), why);
}

// Whether a user means this path. JSON cannot hold bytes that are no UTF-8, so such a path is also
// named as JSON shows it.
bool is_named(const std::string& path, const std::string& named) {
  return named.empty() || path == named || json_quoted(path) == json_quoted(named);
}

// Deletes a file of the trash, if it is unchanged.
Result<void> delete_file(const JobTrash& trash, const TrashedFile& row, const TrashPlace& place) {
  const std::string aside = trash.aside_of(row);
  const auto is_it = [&](const io::EntrySeen& seen) { return row.is(seen); };
  if (!is_it(place.seen))
    return std::unexpected{Fault{FaultKind::rejected, "trash_changed",
                                 "it changed in the trash, so haul does not delete it"}};
  if (auto taken = io::set_aside({place.folder, place.name}, aside, is_it); !taken) return taken;
  auto removed = io::remove_file({place.folder, aside});
  if (!removed) io::find_set_aside(place.folder, place.name, aside);
  return removed;
}

class LibraryTrash final : public Trash {
 public:
  explicit LibraryTrash(TrashSettings settings) : settings_{std::move(settings)} {}

  Millis keeps_for() const override { return settings_.keeps_for; }

  Result<std::vector<JobId>> jobs(JobId below, std::size_t limit) const override {
    const auto root = io::open_root(settings_.root);
    if (!root) return std::unexpected{root.error()};
    const auto trash = io::open_folder_beneath(*root, kTrashFolder, Mounts::stay);
    if (!trash && trash.error().code == "not_found") return {};
    if (!trash) return std::unexpected{trash.error()};
    std::vector<JobId> jobs;
    for (const std::string& name : io::names_in(*trash, kNamesMax)) {
      const auto owner = trash_owner_of(name);
      if (owner && owner->store == settings_.store && (!below || owner->job < below))
        jobs.push_back(owner->job);
    }
    std::ranges::sort(jobs, std::ranges::greater{});
    if (jobs.size() > limit) jobs.resize(limit);
    return jobs;
  }

  Result<std::vector<TrashFile>> files(JobId job) const override {
    const auto root = io::open_root(settings_.root);
    if (!root) return std::unexpected{root.error()};
    const TrashOwner owner = owner_of(job);
    const auto look = TrashLook::open(*root, owner);
    if (!look && look.error().code == "not_found") return {};
    if (!look) return std::unexpected{look.error()};
    std::vector<TrashFile> files;
    for (const TrashedFile& row : look->rows) {
      const auto seen = look->find(row, owner);
      if (!seen && seen.error().code == "not_found") continue;
      // A file that cannot be looked at is listed too: to restore it says why.
      files.push_back(
          {.path = row.path, .size = seen ? seen->size : row.size, .trashed_at = row.at});
    }
    std::ranges::stable_sort(files, {}, &TrashFile::path);
    return files;
  }

  Result<TrashRestored> restore(const TrashToRestore& what) override {
    const auto root = io::open_root(settings_.root);
    if (!root) return std::unexpected{root.error()};
    auto trash = JobTrash::open(*root, owner_of(what.job), JobTrash::Missing::fault);
    if (!trash && trash.error().code == "not_found") return no_such_file(what);
    if (!trash) return std::unexpected{trash.error()};
    const auto is_wanted = [&](const TrashedFile& row) {
      return row.at >= what.since && is_named(row.path, what.path);
    };
    TrashRestored done;
    for (const TrashedFile& row : trash->rows()) {
      if (!is_wanted(row)) continue;
      const auto place = trash->find(row);
      if (!place && place.error().code == "not_found") continue;
      const auto back = place ? put_back(*root, *place, row.path) : std::unexpected{place.error()};
      if (back)
        done.restored.push_back(row.path);
      else
        done.kept.push_back(sentence(row, back.error()));
    }
    // Also rows whose file is back already: an earlier restore was cut off.
    if (auto tidied = trash->tidy(is_wanted); !tidied) return std::unexpected{tidied.error()};
    if (done.restored.empty() && done.kept.empty()) return no_such_file(what);
    return done;
  }

  Result<TrashEmptied> empty(const TrashToEmpty& what) override {
    const auto root = io::open_root(settings_.root);
    if (!root) return std::unexpected{root.error()};
    auto trash = JobTrash::open(*root, owner_of(what.job), JobTrash::Missing::fault);
    if (!trash && trash.error().code == "not_found") return {};
    if (!trash) return std::unexpected{trash.error()};
    const auto is_old = [&](const TrashedFile& row) {
      return row.at >= what.since && row.at <= what.until;
    };
    TrashEmptied done;
    for (const TrashedFile& row : trash->rows()) {
      if (!is_old(row)) continue;
      const auto place = trash->find(row);
      if (!place && place.error().code == "not_found") continue;
      done.has_more = std::cmp_equal(done.files, what.files_max) || !what.may_go_on();
      if (done.has_more) break;
      const auto deleted =
          place ? delete_file(*trash, row, *place) : std::unexpected{place.error()};
      if (!deleted) {
        done.kept.push_back(sentence(row, deleted.error()));
        continue;
      }
      ++done.files;
      done.bytes += row.size;
    }
    if (auto tidied = trash->tidy(is_old); !tidied) return std::unexpected{tidied.error()};
    return done;
  }

 private:
  TrashOwner owner_of(JobId job) const { return {.store = settings_.store, .job = job}; }

  static std::unexpected<Fault> no_such_file(const TrashToRestore& what) {
    const std::string file = what.path.empty() ? "file" : printable(what.path);
    return std::unexpected{
        Fault{FaultKind::permanent, "not_found",
              fmt::format("the trash has no {} of job {}", file, what.job.value)}};
  }

  const TrashSettings settings_;
};

}  // namespace

std::unique_ptr<Trash> make_trash(TrashSettings settings) {
  return std::make_unique<LibraryTrash>(std::move(settings));
}

}  // namespace haul::library

#include "flow/user/trash.h"

#include <fmt/core.h>

#include <utility>

#include "flow/worker/restored.h"

namespace haul::flow {
namespace {

constexpr std::size_t kJobsAtOnce = 100;
constexpr int kRoundsMax = 10;   // Of so many jobs, for one page.
constexpr int kWalkMax = 1'000;  // Likewise, for all jobs.

struct TrashJob {
  JobId id;
  std::optional<Job> job;  // No value if the store does not have it.
};

// Those that the owner may see.
std::vector<TrashJob> visible(Store& store, const std::vector<JobId>& ids, UserId owner) {
  std::vector<TrashJob> seen;
  std::vector<std::optional<Job>> found = store.reader().find(ids);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    std::optional<Job>& job = found[i];
    if (!owner || (job && job->owner == owner))
      seen.push_back({.id = ids[i], .job = std::move(job)});
  }
  return seen;
}

std::string about_job(JobId job, const std::string& what) {
  return fmt::format("job {}: {}", job.value, what);
}

void keep(TrashEmptied& all, std::string why) {
  if (all.kept.size() < kKeptNamed) all.kept.push_back(std::move(why));
}

// One turn of an emptying.
class Emptying {
 public:
  Emptying(Trash& trash, const EmptyTrash& what, EmptiedTrash& done)
      : trash_{trash}, what_{what}, done_{done} {}

  // False if no more may be deleted in this turn.
  bool take(TrashJob& job) {
    TrashEmptied& all = done_.all;
    const auto left = kEmptyAtOnce - static_cast<std::size_t>(all.files);
    all.has_more = left == 0 || !what_.may_go_on();
    if (all.has_more) return false;
    const auto emptied = trash_.empty({.job = job.id,
                                       .since = trash_since(what_.owner, job.job),
                                       .until = what_.until,
                                       .files_max = left,
                                       .may_go_on = what_.may_go_on});
    if (!emptied) {
      keep(all, about_job(job.id, emptied.error().detail));
      return true;
    }
    all.files += emptied->files;
    all.bytes += emptied->bytes;
    all.has_more = emptied->has_more;
    for (const std::string& why : emptied->kept) keep(all, about_job(job.id, why));
    if (emptied->files > 0 && job.job)
      done_.jobs.push_back(*std::move(job.job));
    else if (emptied->files > 0)
      done_.unknown.push_back(job.id);
    return !all.has_more;
  }

 private:
  Trash& trash_;
  const EmptyTrash& what_;
  EmptiedTrash& done_;
};

}  // namespace

Time trash_since(UserId owner, const std::optional<Job>& job) {
  return owner && job ? job->created_at : Time{};
}

Result<TrashPage> list_trash(Store& store, const Trash* trash, const TrashFilter& filter) {
  TrashPage page;
  if (!trash) return page;
  const Millis keeps_for = trash->keeps_for();
  TrashCursor from = filter.from;
  for (int round = 0; round < kRoundsMax; ++round) {
    const auto ids = trash->jobs(from.job ? JobId{from.job.value + 1} : JobId{}, kJobsAtOnce);
    if (!ids) return std::unexpected{ids.error()};
    for (const TrashJob& job : visible(store, *ids, filter.owner)) {
      const auto files = trash->files(job.id);
      if (!files) page.problems.push_back(about_job(job.id, files.error().detail));
      const std::size_t count = files ? files->size() : 0;
      const Time since = trash_since(filter.owner, job.job);
      for (std::size_t i = job.id == from.job ? from.skip : 0; i < count; ++i) {
        if ((*files)[i].trashed_at < since) continue;
        if (page.entries.size() == filter.limit) {
          page.next = TrashCursor{.job = job.id, .skip = i};
          return page;
        }
        TrashEntry entry{.job = job.id, .file = (*files)[i], .leaves_at = {}};
        if (keeps_for > Millis{0}) entry.leaves_at = entry.file.trashed_at + keeps_for;
        page.entries.push_back(std::move(entry));
      }
    }
    if (ids->size() < kJobsAtOnce || ids->back().value <= 1) return page;
    from = {.job = JobId{ids->back().value - 1}};
  }
  page.next = from;
  return page;
}

std::expected<EmptiedTrash, Refusal> empty_trash(Store& store, Trash* trash,
                                                 const EmptyTrash& what) {
  if (store.identity().is_restored())
    return std::unexpected{Refusal{RefusalKind::guarded, std::string{kRestored},
                                   "the store was restored from a backup; haul deletes nothing "
                                   "until an admin runs haul resume --all"}};
  EmptiedTrash done;
  if (!trash) return done;
  Emptying emptying{*trash, what, done};
  if (what.job) {
    for (TrashJob& job : visible(store, {what.job}, what.owner)) emptying.take(job);
    return done;
  }
  JobId below;
  for (int round = 0; round < kWalkMax; ++round) {
    const auto ids = trash->jobs(below, kJobsAtOnce);
    if (!ids) keep(done.all, ids.error().detail);
    if (!ids || ids->empty()) return done;
    for (TrashJob& job : visible(store, *ids, what.owner))
      if (!emptying.take(job)) return done;
    below = ids->back();
  }
  return done;
}

}  // namespace haul::flow

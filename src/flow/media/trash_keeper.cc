#include "flow/media/trash_keeper.h"

#include <fmt/core.h>

#include <utility>

#include "flow/worker/lived.h"

namespace haul::flow {
namespace {

constexpr std::size_t kJobsAtOnce = 100;
constexpr std::size_t kFilesAtOnce = 100;
constexpr Millis kEvery{std::chrono::hours{1}};
constexpr Millis kBetween{1'000};
constexpr std::size_t kKeptMax = 20;  // Files that a turn names.

void keep(TrashEmptied& done, std::string why) {
  if (done.kept.size() < kKeptMax) done.kept.push_back(std::move(why));
}

}  // namespace

std::optional<Time> trash_until(std::span<const Stretch> stretches, Millis keeps_for) {
  if (stretches.empty()) return std::nullopt;
  const Stretch& last = stretches.back();
  return older_than(stretches, last.lived_before + (last.to - last.from), keeps_for);
}

TrashKeeper::TrashKeeper(Store& store, Trash* trash, MayDelete may_delete, Told told)
    : store_{store}, trash_{trash}, may_delete_{std::move(may_delete)}, told_{std::move(told)} {}

Millis TrashKeeper::step() {
  if (!trash_ || trash_->keeps_for() <= Millis{0} || store_.identity().is_restored()) return kEvery;
  const auto until = trash_until(store_.uptime().list(), trash_->keeps_for());
  if (!until) return kEvery;
  TrashEmptied done;
  const Millis wait = walk(*until, done);
  if (done.files > 0 || !done.kept.empty()) told_(done);
  return wait;
}

Millis TrashKeeper::walk(Time until, TrashEmptied& done) {
  const auto jobs = trash_->jobs(below_, kJobsAtOnce);
  if (!jobs) {
    keep(done, jobs.error().detail);
    below_ = {};
    return kEvery;
  }
  for (const JobId job : *jobs) {
    if (!empty(job, until, done)) return kBetween;
    below_ = job;
  }
  if (jobs->size() == kJobsAtOnce) return kBetween;
  below_ = {};
  return kEvery;
}

// A trash that is in use is for the next walk.
bool TrashKeeper::empty(JobId job, Time until, TrashEmptied& done) {
  const std::size_t left = kFilesAtOnce - static_cast<std::size_t>(done.files);
  if (left == 0 || !may_delete_()) return false;
  const auto emptied =
      trash_->empty({.job = job, .until = until, .files_max = left, .may_go_on = may_delete_});
  if (!emptied) {
    if (emptied.error().code != "trash_busy")
      keep(done, fmt::format("job {}: {}", job.value, emptied.error().detail));
    return true;
  }
  done.files += emptied->files;
  done.bytes += emptied->bytes;
  for (const std::string& why : emptied->kept)
    keep(done, fmt::format("job {}: {}", job.value, why));
  return !emptied->has_more;
}

}  // namespace haul::flow

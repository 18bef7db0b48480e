#include "io/web/speed_limits.h"

#include <algorithm>

#include "base/ensure.h"

namespace haul::io {
namespace {

// Enough for an answer's head and a small file. More would keep small files from starting.
constexpr std::int64_t kToBegin = 1'024;
// What a transfer reads at once while no limit applies to it: little enough to follow a limit that
// begins meanwhile.
constexpr std::int64_t kFreePiece = std::int64_t{64} << 10U;

}  // namespace

SpeedLimits::SpeedLimits(std::int64_t per_second, Steady now, Joins joins) : joins_{joins} {
  set_rate(per_second, now);
}

void SpeedLimits::set_rate(std::int64_t per_second, Steady now) {
  if (per_second == per_second_) return;
  per_second_ = per_second;
  all_.reset();
  if (per_second > 0) all_.emplace(per_second, now);
  // The new bucket may hold less than what a transfer waits for.
  for (auto& [number, its] : transfers_) {
    its.granted = std::min(its.granted, piece(number));
    its.wanted = std::min(its.wanted, piece(number));
  }
}

std::optional<std::int64_t> SpeedLimits::join(JobId job, std::int64_t job_per_second, Steady now) {
  // A job between two files keeps its bucket until its debt is paid and the bucket is full.
  for (auto& [id, its] : jobs_)
    if (its.transfers == 0 && its.bucket) its.bucket->earn(now);
  std::erase_if(jobs_, [](const auto& each) {
    const auto& bucket = each.second.bucket;
    return each.second.transfers == 0 && (!bucket || bucket->is_full());
  });
  if (joins_ == Joins::limited && !all_ && job_per_second <= 0) return std::nullopt;
  Job& its = jobs_[job];
  if (!its.bucket && job_per_second > 0) its.bucket.emplace(job_per_second, now);
  ++its.transfers;
  transfers_[++last_] = {.job = job, .served = served_};
  return last_;
}

void SpeedLimits::leave(std::int64_t transfer, Steady now) {
  const auto found = transfers_.find(transfer);
  if (found == transfers_.end()) return;
  line_.erase({found->second.served, transfer});
  Buckets buckets = earned(found->second, now);
  buckets.give_back(found->second.granted);
  Job& its = jobs_.at(found->second.job);
  ensure(its.transfers > 0, "a transfer leaves the job that it joined");
  --its.transfers;
  transfers_.erase(found);
}

bool SpeedLimits::ask(std::int64_t transfer, For what) {
  Transfer& its = transfers_.at(transfer);
  if (its.granted > 0) return true;
  if (its.wanted > 0) return false;
  its.wanted = what == For::begin ? std::min(kToBegin, piece(transfer)) : piece(transfer);
  its.served = std::max(its.served, served_);
  line_.emplace(its.served, transfer);
  return false;
}

bool SpeedLimits::may(std::int64_t transfer, For what, Steady now) {
  if (ask(transfer, what)) return true;
  share_out(now);
  return transfers_.at(transfer).granted > 0;
}

void SpeedLimits::count(std::int64_t transfer, std::int64_t bytes, Steady now) {
  Transfer& its = transfers_.at(transfer);
  const std::int64_t of_grant = std::min(bytes, its.granted);
  its.granted -= of_grant;
  earned(its, now).take(bytes - of_grant);
  if (its.wanted == 0) its.served += bytes;
}

std::int64_t SpeedLimits::piece(std::int64_t transfer) const {
  const auto& bucket = jobs_.at(transfers_.at(transfer).job).bucket;
  if (!all_ && !bucket) return kFreePiece;
  const std::int64_t of_all = all_ ? all_->piece() : bucket->piece();
  const std::int64_t of_job = bucket ? bucket->piece() : of_all;
  return std::min(of_all, of_job);
}

std::optional<Millis> SpeedLimits::next(Steady now) {
  std::optional<Millis> first;
  for (const auto& [served, number] : line_) {
    const Transfer& its = transfers_.at(number);
    const Buckets buckets = earned(its, now);
    const Millis wait = buckets.until(its.wanted);
    first = std::min(first.value_or(wait), wait);
    if (buckets.all != nullptr && buckets.all->level() < its.wanted) break;  // The rest waits, too.
  }
  return first;
}

SpeedLimits::Buckets SpeedLimits::earned(const Transfer& transfer, Steady now) {
  auto& of_job = jobs_.at(transfer.job).bucket;
  Buckets buckets{.all = all_ ? &*all_ : nullptr, .of_job = of_job ? &*of_job : nullptr};
  for (TokenBucket* bucket : {buckets.all, buckets.of_job})
    if (bucket != nullptr) bucket->earn(now);
  return buckets;
}

// Grants in the order of the queue, but skips transfers whose job has nothing left.
void SpeedLimits::share_out(Steady now) {
  for (auto at = line_.begin(); at != line_.end();) {
    Transfer& its = transfers_.at(at->second);
    Buckets buckets = earned(its, now);
    if (buckets.all != nullptr && buckets.all->level() < its.wanted) return;
    if (buckets.of_job != nullptr && buckets.of_job->level() < its.wanted) {
      ++at;
      continue;
    }
    buckets.take(its.wanted);
    its.granted += std::exchange(its.wanted, 0);
    served_ = std::max(served_, its.served);
    at = line_.erase(at);
  }
}

void SpeedLimits::Buckets::take(std::int64_t bytes) {
  for (TokenBucket* bucket : {all, of_job})
    if (bucket != nullptr) bucket->take(bytes);
}

void SpeedLimits::Buckets::give_back(std::int64_t bytes) {
  for (TokenBucket* bucket : {all, of_job})
    if (bucket != nullptr) bucket->give_back(bytes);
}

Millis SpeedLimits::Buckets::until(std::int64_t bytes) const {
  return std::max(all != nullptr ? all->until(bytes) : Millis{0},
                  of_job != nullptr ? of_job->until(bytes) : Millis{0});
}

}  // namespace haul::io

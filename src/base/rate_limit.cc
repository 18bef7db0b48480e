#include "base/rate_limit.h"

#include <algorithm>
#include <cmath>

namespace haul {
namespace {

constexpr Millis kSweepEvery{1'000};  // Not more often: a sweep visits every key.

}  // namespace

void RateLimit::fill(Bucket& bucket, Steady now) const {
  const double passed = std::chrono::duration<double>(now - bucket.filled).count();
  bucket.tokens =
      std::min(settings_.burst, bucket.tokens + std::max(passed, 0.0) * settings_.per_second);
  bucket.filled = now;
}

void RateLimit::forget_full(Steady now) {
  if (swept_ && now - *swept_ < kSweepEvery) return;
  swept_ = now;
  std::erase_if(buckets_, [&](const auto& each) {
    Bucket bucket = each.second;
    fill(bucket, now);
    return bucket.tokens >= settings_.burst;
  });
}

RateLimit::Bucket& RateLimit::bucket_of(const std::string& key, Steady now) {
  if (const auto known = buckets_.find(key); known != buckets_.end()) return known->second;
  if (buckets_.size() >= settings_.keys_max) forget_full(now);
  const Bucket whole{settings_.burst, now};
  if (buckets_.size() < settings_.keys_max) return buckets_.try_emplace(key, whole).first->second;
  if (!others_) others_ = whole;
  return *others_;
}

std::optional<Millis> RateLimit::spend(const std::string& key, Steady now) {
  const Lock lock{mutex_};
  Bucket& bucket = bucket_of(key, now);
  fill(bucket, now);
  if (bucket.tokens < 1)
    return Millis{
        static_cast<std::int64_t>(std::ceil((1 - bucket.tokens) / settings_.per_second * 1'000))};
  bucket.tokens -= 1;
  return std::nullopt;
}

void RateLimit::give_back(const std::string& key, Steady now) {
  const Lock lock{mutex_};
  Bucket& bucket = bucket_of(key, now);
  bucket.tokens = std::min(settings_.burst, bucket.tokens + 1);
}

}  // namespace haul

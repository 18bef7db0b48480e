#pragma once
// How often something may happen, counted for each key: a burst at once, then so many a second.

#include <map>
#include <optional>
#include <string>

#include "base/mutex.h"
#include "base/time.h"

namespace haul {

struct RateSettings {
  double burst = 1;
  double per_second = 1;
  std::size_t keys_max = 10'000;
};

class RateLimit {
 public:
  explicit RateLimit(RateSettings settings) : settings_{settings} {}

  // Takes one for this key. Nothing: it was granted; else how long until the next one is. Keys
  // that have their whole burst are forgotten. When `keys_max` others are kept, new keys share one
  // count, so that many keys never push a used-up one out.
  std::optional<Millis> spend(const std::string& key, Steady now);
  // What was taken did not count after all.
  void give_back(const std::string& key, Steady now);

 private:
  struct Bucket {
    double tokens = 0;
    Steady filled;
  };
  void fill(Bucket& bucket, Steady now) const;
  Bucket& bucket_of(const std::string& key, Steady now) REQUIRES(mutex_);
  void forget_full(Steady now) REQUIRES(mutex_);

  const RateSettings settings_;
  Mutex mutex_;
  std::map<std::string, Bucket> buckets_ GUARDED_BY(mutex_);
  std::optional<Bucket> others_ GUARDED_BY(mutex_);
  std::optional<Steady> swept_ GUARDED_BY(mutex_);
};

}  // namespace haul

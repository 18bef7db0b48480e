#pragma once
// A rate limit for each key: `burst` uses at once, then `per_second` uses a second.

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

  // Takes one use of this key. Nothing if it is granted, else the time until the next one is. Keys
  // with their whole burst are forgotten. While the table holds `keys_max` keys, all new keys share
  // one count, so that many keys never push out a used-up one.
  std::optional<Millis> spend(const std::string& key, Steady now);
  // Returns a use that does not count after all.
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

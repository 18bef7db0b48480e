#pragma once
// What haul counts while it runs, for those who watch it from outside.

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/mutex.h"
#include "base/time.h"

namespace haul {

// How many took how long: cumulative counts up to each bound, as Prometheus wants them.
class Histogram {
 public:
  static constexpr std::array<std::int64_t, 10> kBoundsMs{1,  2,   5,   10,    25,
                                                          50, 100, 250, 1'000, 5'000};

  void see(std::int64_t value);
  // "name_bucket{le="0.001"} 3" and so on; `scale` divides the bounds.
  std::string text(std::string_view name, std::string_view help, double scale) const;

 private:
  mutable Mutex mutex_;
  std::array<std::uint64_t, kBoundsMs.size() + 1> counts_ GUARDED_BY(mutex_){};
  std::uint64_t sum_ GUARDED_BY(mutex_) = 0;
};

class Meter {
 public:
  Histogram answers_ms;
  Histogram group_commands;
  std::atomic<std::uint64_t> commits = 0;
  std::atomic<std::int64_t> log_pages = 0;
  std::atomic<std::uint64_t> bytes = 0;  // Of items that arrived.

  void count(const std::string& counter);  // With its labels: `moves_total{lifecycle="batch"}`.
  std::string text() const;

 private:
  mutable Mutex mutex_;
  std::map<std::string, std::uint64_t> counters_ GUARDED_BY(mutex_);
};

}  // namespace haul

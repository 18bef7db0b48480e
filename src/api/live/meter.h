#pragma once
// Counters and histograms for Prometheus.

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/mutex.h"
#include "base/time.h"
#include "store/committed.h"

namespace haul::api {

// Counts durations by length. text() prints cumulative counts up to each bound, as Prometheus
// expects.
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

  // Call once per commit.
  void see(const Committed& committed);
  void see_arrived(std::int64_t bytes);
  // Bytes that the spool has reserved now.
  void see_spool(std::int64_t bytes) { spool_ = bytes; }
  // Counts the reason code of an item or a job that failed.
  void see_fault(std::string_view reason);
  std::string text() const;

 private:
  struct Edge {
    const Lifecycle* lifecycle = nullptr;
    std::string_view from;  // Both point into the lifecycle's table.
    std::string_view to;
    auto operator<=>(const Edge&) const = default;
  };
  void count_moves(std::span<const CommittedMove> moves);

  Histogram commit_ms_;
  Histogram group_commands_;
  std::atomic<std::int64_t> log_pages_ = 0;
  std::atomic<std::uint64_t> bytes_ = 0;  // Of items that arrived.
  std::atomic<std::uint64_t> rescues_ = 0;
  std::atomic<std::int64_t> spool_ = 0;
  mutable Mutex mutex_;
  std::map<Edge, std::uint64_t> moves_ GUARDED_BY(mutex_);
  std::map<std::pair<std::string_view, Outcome>, std::uint64_t> outcomes_ GUARDED_BY(mutex_);
  std::map<std::string, std::uint64_t, std::less<>> faults_ GUARDED_BY(mutex_);
};

}  // namespace haul::api

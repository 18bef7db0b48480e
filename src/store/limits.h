#pragma once
// Limits per host, shared by all workers: how many requests run at once and how far apart they
// start.

#include <cstddef>
#include <expected>
#include <string>

#include "base/id.h"
#include "base/time.h"

namespace haul {

inline constexpr Millis kBlockMax{600'000};  // Z-11: haul obeys Retry-After up to ten minutes.

struct HostRule {
  std::size_t at_once = 2;
  Millis apart{1000};
};

struct HostUse {
  std::size_t held = 0;
  Time started_at;
  Time blocked_until;

  bool operator==(const HostUse&) const = default;
};

class Limits {
 public:
  virtual ~Limits() = default;

  // Takes a slot for one request, or returns the earliest time worth retrying.
  virtual std::expected<void, Time> take(const std::string& host, const HostRule& rule,
                                         WorkerId worker, Time now) = 0;
  // Gives slots back; ignores slots that the worker does not hold.
  virtual void give(const std::string& host, WorkerId worker, std::size_t slots) = 0;
  void give(const std::string& host, WorkerId worker) { give(host, worker, 1); }
  // Gives back every slot of a worker that is gone.
  virtual void give_all(WorkerId worker) = 0;
  // Blocks a host that sent Retry-After, for ten minutes at most. The later of two times wins.
  virtual void block(const std::string& host, Time until, Time now) = 0;
  virtual HostUse use(const std::string& host) = 0;
  // One step of a prune: reads the next `limit` hosts after `after` (at most 4,000) and removes
  // those without holders whose last start and block are before `before`. Returns the last host it
  // read; empty if there are no more.
  virtual std::string prune(Time before, const std::string& after, std::size_t limit) = 0;
};

}  // namespace haul

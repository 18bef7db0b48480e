#pragma once
// How many requests a host may see at once, and how far apart they start; shared by all workers.

#include <cstddef>
#include <expected>
#include <string>

#include "base/id.h"
#include "base/time.h"

namespace haul {

inline constexpr Millis kBlockMax{600'000};  // Z-11: Retry-After is obeyed up to ten minutes.

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

  // A place, counted from now, or the earliest time worth asking again.
  virtual std::expected<void, Time> take(const std::string& host, const HostRule& rule,
                                         WorkerId worker, Time now) = 0;
  // Gives places back; giving back what is not held changes nothing.
  virtual void give(const std::string& host, WorkerId worker, std::size_t places) = 0;
  void give(const std::string& host, WorkerId worker) { give(host, worker, 1); }
  // Gives back every place of a worker that is gone.
  virtual void give_all(WorkerId worker) = 0;
  // The host asked to be left alone (Retry-After): obeyed for ten minutes at most, and a later time
  // wins over an earlier one.
  virtual void block(const std::string& host, Time until, Time now) = 0;
  virtual HostUse use(const std::string& host) = 0;
  // One step of a prune: looks at the next `limit` hosts after `after` (at most 4,000) and forgets
  // those without holders that were last used, and blocked, before `before`. Says the last host it
  // looked at; empty: there are no more.
  virtual std::string prune(Time before, const std::string& after, std::size_t limit) = 0;
};

}  // namespace haul

#pragma once
// What happened to a job, in order, for ever (or until retention prunes an ended job's events).

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/job.h"

namespace haul {

struct Event {
  EventId id;  // Global order.
  JobId job;
  std::int64_t seq = 0;  // The job's seq when this was written.
  std::string type;      // MOVED, or a note beside a move.
  Time at;
  std::string from;
  std::string to;
  std::string on;
  std::string by;
  WorkerId worker;  // Who held it, or took it, or lost it.
  std::string reason;
  std::string data;  // JSON or empty.

  bool operator==(const Event&) const = default;
};

struct Pruned {
  std::size_t removed = 0;
  std::optional<EventId> next;  // Where the next step goes on; nothing: all that is left is newer.

  bool operator==(const Pruned&) const = default;
};

class Events {
 public:
  virtual ~Events() = default;

  // One job's events, oldest first, after `after`.
  virtual std::vector<Event> of(JobId job, EventId after, std::size_t limit) = 0;

  // All events after `after`, in global order.
  virtual std::vector<Event> after(EventId after, std::size_t limit) = 0;

  // The newest id; zero if there is none.
  virtual EventId newest() = 0;

  // Notes something beside the moves (LOG and the like); open or ended, the job must exist.
  virtual bool note(JobId job, std::string_view type, std::string_view data, Time now) = 0;

  // One step of a prune: looks at the next `limit` events after `after` (at most 4,000) and removes
  // those from before `before` of jobs that ended before it. The newest event always stays.
  virtual Pruned prune(Time before, EventId after, std::size_t limit) = 0;
};

}  // namespace haul

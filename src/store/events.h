#pragma once
// What happened to each job, in order. Retention prunes old events of ended jobs; all others stay.

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
  std::string type;      // MOVED for a move; any other type is a note.
  Time at;
  std::string from;
  std::string to;
  std::string on;
  std::string by;
  WorkerId worker;  // The worker that held, took or lost the job.
  std::string reason;
  std::string data;  // JSON or empty.

  bool operator==(const Event&) const = default;
};

struct Pruned {
  std::size_t removed = 0;
  std::optional<EventId> next;  // Pass as `after` to the next step; nothing if the prune is done.

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

  // Writes a note (LOG and the like) for an open job. False if it has ended: JOB_DONE is last.
  virtual bool note(JobId job, std::string_view type, std::string_view data, Time now) = 0;

  // One step of a prune: reads the next `limit` events after `after` (at most 4,000) and removes
  // those older than `before` whose job also ended before `before`. The newest event always stays.
  virtual Pruned prune(Time before, EventId after, std::size_t limit) = 0;
};

}  // namespace haul

#pragma once
// Named work that one worker of many does at a time: asking the download client, checking the
// library, removing old events. A duty is held like a job: its holder keeps it while it beats, and
// its fence grows with every new holder.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/id.h"

namespace haul {

struct Duty {
  std::string name;
  WorkerId holder;  // Zero if no worker has it.
  std::int64_t fence = 0;

  bool operator==(const Duty&) const = default;
};

// A worker that has not beaten since this beat, for at least a lease.
struct SilentWorker {
  WorkerId worker;
  std::int64_t beat = 0;
};

class Duties {
 public:
  virtual ~Duties() = default;

  // Takes the duty if no worker has it, or if its holder is that silent worker and still has not
  // beaten. Returns the duty as it is then, with its holder, which may be another worker.
  virtual Duty take(const std::string& name, WorkerId worker,
                    const std::optional<SilentWorker>& silent) = 0;
  // Whether the worker still has the duty that it took under this fence.
  virtual bool holds(const Duty& duty) = 0;
  virtual void give(const std::string& name, WorkerId worker) = 0;
  virtual void give_all(WorkerId worker) = 0;
  virtual std::vector<Duty> list() = 0;
};

}  // namespace haul

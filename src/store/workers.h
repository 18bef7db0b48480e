#pragma once
// Who works. A worker beats on its own row; the beat is a counter, so that whoever thinks it dead
// can prove that it has not beaten since.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/id.h"
#include "base/time.h"

namespace haul {

struct WorkerRow {
  WorkerId id;
  std::string name;
  std::int64_t beat = 0;
  Time started_at;
  Time beat_at;

  bool operator==(const WorkerRow&) const = default;
};

class Workers {
 public:
  virtual ~Workers() = default;

  virtual WorkerId enlist(const std::string& name, Time now) = 0;
  virtual bool beat(WorkerId worker, Time now) = 0;
  virtual std::optional<WorkerRow> find(WorkerId worker) = 0;
  // Those that hold a job or a place, or have beaten since `since`, oldest first.
  virtual std::vector<WorkerRow> list(Time since, std::size_t limit) = 0;
  // Forgets up to `limit` workers that last beat before `before` and hold nothing, oldest first;
  // says how many. The newest stays, so that no id is given twice.
  virtual std::size_t prune(Time before, std::size_t limit) = 0;
};

}  // namespace haul

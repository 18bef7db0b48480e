#pragma once
// Workers and their heartbeats. A worker beats on its own row. The beat is a counter, so that a
// rescue can prove that the worker has not beaten since it was last seen.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
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
  // False if there is no such worker.
  virtual bool beat(WorkerId worker, Time now) = 0;
  // One answer per id, in the order of `workers`; nothing for a worker that does not exist.
  virtual std::vector<std::optional<WorkerRow>> find(std::span<const WorkerId> workers) = 0;
  std::optional<WorkerRow> find(WorkerId worker) { return std::move(find({&worker, 1}).front()); }
  // Workers that hold a job, a host's slot or a duty, or have beaten since `since`; oldest first.
  virtual std::vector<WorkerRow> list(Time since, std::size_t limit) = 0;
  // Only those that hold a job, a host's slot or a duty.
  virtual std::vector<WorkerRow> holders(std::size_t limit) = 0;
  // Forgets up to `limit` workers that last beat before `before` and hold nothing, oldest first;
  // says how many. The newest stays, so that no id is given twice.
  virtual std::size_t prune(Time before, std::size_t limit) = 0;
};

}  // namespace haul

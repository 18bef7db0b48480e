#pragma once
// The interface of a trash: where a sink keeps the sources that it removed, for a while, and how
// they come back. Its calls wait for the disk, so no event loop makes them. Call from any thread.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/fault.h"
#include "base/id.h"
#include "base/time.h"

namespace haul {

struct TrashFile {
  std::string path;  // Where it was, beneath the download root.
  std::int64_t size = 0;
  Time trashed_at{};

  bool operator==(const TrashFile&) const = default;
};

struct TrashRestored {
  std::vector<std::string> restored{};  // Paths beneath the download root.
  std::vector<std::string> kept{};      // Why each other file stays in the trash, as sentences.
};

// What to move back of one job.
struct TrashToRestore {
  JobId job;
  std::string path{};  // Empty: all files.
  Time since{};        // Trashed then or later.
};

// What to delete of one job.
struct TrashToEmpty {
  JobId job;
  Time since{};  // Trashed then or later.
  Time until{};  // Trashed then or before.
  std::size_t files_max = 1'000;
  std::function<bool()> may_go_on = [] { return true; };  // Asked before each file.
};
struct TrashEmptied {
  std::int64_t files = 0;
  std::int64_t bytes = 0;
  std::vector<std::string> kept{};  // Why each file that is old enough stays, as sentences.
  bool has_more = false;            // It ended before the last file.
};

class Trash {
 public:
  virtual ~Trash() = default;

  // How long a file stays before haul deletes it. Zero: until a user empties the trash.
  virtual Millis keeps_for() const = 0;
  // The jobs of this store that have a trash, the newest first, below this one. Zero for all.
  virtual Result<std::vector<JobId>> jobs(JobId below, std::size_t limit) const = 0;
  // The files of a job, by path. Empty if it has none.
  virtual Result<std::vector<TrashFile>> files(JobId job) const = 0;
  // Moves files of a job back to where they were, and makes the folders that are missing. Never
  // replaces: a file whose place is taken stays. Fault `not_found` (permanent) if the trash has no
  // such file, `trash_busy` (environment) if the job's trash is in use.
  virtual Result<TrashRestored> restore(const TrashToRestore& what) = 0;
  // Deletes files of a job for good. Fault `trash_busy` as above.
  virtual Result<TrashEmptied> empty(const TrashToEmpty& what) = 0;
};

}  // namespace haul

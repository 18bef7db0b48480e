#pragma once
// What users can do with the trash: list it and empty it. A user who may not operate sees the files
// of their own jobs alone, and a job that the store does not have is for operators.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "seam/trash.h"
#include "store/store.h"

namespace haul::flow {

// Since when the trash of a job is the owner's. A store that was restored from a backup gives
// numbers again: what was trashed before the job was added is of an earlier job, for operators
// alone. An owner of zero may see all.
Time trash_since(UserId owner, const std::optional<Job>& job);

struct TrashCursor {
  JobId job{};           // Jobs from this one down. Zero: from the newest.
  std::size_t skip = 0;  // So many files of that job.

  bool operator==(const TrashCursor&) const = default;
};

struct TrashFilter {
  UserId owner{};  // Zero for all.
  TrashCursor from{};
  std::size_t limit = 20;
};

struct TrashEntry {
  JobId job;
  TrashFile file;
  std::optional<Time> leaves_at;  // At the earliest: only time that haul runs counts.
};

// The newest jobs first, the files of each by path. A page reads a bounded number of jobs, so it
// can be short and still have a next one.
struct TrashPage {
  std::vector<TrashEntry> entries;
  std::optional<TrashCursor> next;
  std::vector<std::string> problems;  // Jobs whose trash cannot be read, as sentences.
};
// Without a trash, an empty page. Faults if the disk does not answer.
Result<TrashPage> list_trash(Store& store, const Trash* trash, const TrashFilter& filter);

struct EmptyTrash {
  UserId owner{};  // Zero for all.
  JobId job{};     // Zero for all of them.
  Time until{};    // Trashed then or before.
  std::function<bool()> may_go_on = [] { return true; };
};
struct EmptiedTrash {
  TrashEmptied all;            // Names at most kKeptNamed files that stay.
  std::vector<Job> jobs;       // The jobs that lost files.
  std::vector<JobId> unknown;  // As above, of jobs that the store does not have.
};
inline constexpr std::size_t kKeptNamed = 20;
inline constexpr std::size_t kEmptyAtOnce = 1'000;

// Deletes a bounded number of files. Z-31: refused in a restored store.
std::expected<EmptiedTrash, Refusal> empty_trash(Store& store, Trash* trash,
                                                 const EmptyTrash& what);

}  // namespace haul::flow

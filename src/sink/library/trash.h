#pragma once
// The trash of a download root: what is in it, how a file comes back, and how it is emptied. It
// touches only files that its index lists.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sink/library/trash_bin.h"

namespace haul::library {

struct TrashEntry {
  TrashOwner owner;
  TrashedFile file;
};

// Every file in the trash, by job, then by path. A root without a trash has none. `left_out` says
// how many jobs have an index that cannot be read.
struct TrashList {
  std::vector<TrashEntry> files;
  std::size_t left_out = 0;
};
Result<TrashList> list_trash(const std::filesystem::path& root);

// Moves files of a job back to where they were, and makes the folders that are missing. An empty
// path means all files of the job. Never replaces: a file whose place is taken stays in the trash.
struct RestoredTrash {
  std::vector<std::string> restored;  // Paths beneath the root.
  std::vector<std::string> kept;      // Why each other file stays, as sentences.
};
// Fault `not_found` (permanent) if the trash has no such file.
Result<RestoredTrash> restore_trash(const std::filesystem::path& root, const TrashOwner& owner,
                                    const std::string& path = {});

// Deletes what was moved there at this time or before.
struct EmptiedTrash {
  std::int64_t files = 0;
  std::int64_t bytes = 0;
  std::vector<std::string> kept;  // Why each file that is old enough stays, as sentences.
};
Result<EmptiedTrash> empty_trash(const std::filesystem::path& root, Time until);

}  // namespace haul::library

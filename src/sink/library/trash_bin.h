#pragma once
// Where a clean moves the sources of one job, below one download root.

#include <map>
#include <span>
#include <string>

#include "sink/library/job_trash.h"

namespace haul::library {

class TrashBin {
 public:
  // Opens the job's trash, and makes it. Faults `no_trash` and `trash_busy` (environment).
  static Result<TrashBin> open(const io::Descriptor& root, const TrashOwner& owner);

  // Writes to the index where these files will be, from now on. Call it before take().
  [[nodiscard]] Result<void> announce(std::span<const SourceFile> files, Time now);
  // Whether an earlier clean has moved the file here.
  bool has(const SourceFile& source) const;
  // Moves a source here, from a name that only haul uses. Replaces nothing.
  [[nodiscard]] Result<void> take(const io::EntryName& entry, const SourceFile& source);
  // Flushes the names that were added here.
  [[nodiscard]] Result<void> flush();

 private:
  explicit TrashBin(JobTrash trash) : trash_{std::move(trash)} {}

  const TrashedFile* row_of(const SourceFile& source) const;
  // The folder of a kept file, which stays open until its names are flushed.
  Result<const io::Descriptor*> folder_of_kept(const std::string& kept);

  JobTrash trash_;
  std::map<std::string, io::Descriptor> used_;  // Folders with new names, by path.
};

}  // namespace haul::library

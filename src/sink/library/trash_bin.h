#pragma once
// The trash of one job below one download root, while its sources are cleaned. A file keeps its
// path: .haul-trash/<store>-<job>/files/<path>. It stays on its file system, so a move is a rename.

#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/id.h"
#include "base/time.h"
#include "io/file/beneath.h"
#include "io/file/entries.h"
#include "seam/source_file.h"
#include "sink/library/trash_index.h"

namespace haul::library {

inline constexpr std::string_view kTrashFolder = ".haul-trash";
inline constexpr std::string_view kTrashFiles = "files";

struct TrashOwner {
  std::string store;  // Id of the store that has the job. Two stores may share a root.
  JobId job;

  // "a1b2c3d4e5f6-7": the name of the job's folder.
  std::string folder() const { return store + "-" + std::to_string(job.value); }
  bool operator==(const TrashOwner&) const = default;
};

class TrashBin {
 public:
  // Opens the job's folder of the trash, and makes it. No part of it is a link.
  static Result<TrashBin> open(const io::Descriptor& root, const TrashOwner& owner);

  // Writes to the index where these files will be. Call it before take().
  [[nodiscard]] Result<void> announce(std::span<const SourceFile> files, Time now);
  // Whether an earlier clean has moved the file here.
  bool has(const SourceFile& source) const;
  // Moves what has this name here, and looks at it again. If it is not the source, it goes back:
  // fault `source_changed` (rejected). `name_taken` if another file has its place here.
  [[nodiscard]] Result<void> take(const io::EntryName& entry, const SourceFile& source);
  // Flushes the names that were added here.
  [[nodiscard]] Result<void> flush();

 private:
  explicit TrashBin(io::Descriptor folder) : folder_{std::move(folder)} {}

  const TrashedFile* row_of(const SourceFile& source) const;
  std::string free_name(const std::string& path) const;
  // The folder of the trash that has a kept file. Made if it is missing.
  Result<const io::Descriptor*> folder_of_kept(const std::string& kept);

  io::Descriptor folder_;
  std::vector<TrashedFile> rows_;
  std::map<std::string, io::Descriptor> used_;  // Folders with new names, by path.
};

}  // namespace haul::library

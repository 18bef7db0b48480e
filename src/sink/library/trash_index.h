#pragma once
// What the trash has of one job, as a small JSON file in the job's folder of the trash. A row is
// written before its file is moved, so a file without a row is not haul's.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/id.h"
#include "base/time.h"
#include "io/file/beneath.h"
#include "seam/source_file.h"

namespace haul::library {

// A trash is in the download root, so that a move to it is a rename.
inline constexpr std::string_view kTrashFolder = ".haul-trash";

struct TrashOwner {
  std::string store;  // Id of the store that has the job. Two stores may share a root.
  JobId job;

  // "a1b2c3d4e5f6-7": the name of the job's folder.
  std::string folder() const { return store + "-" + std::to_string(job.value); }
  bool operator==(const TrashOwner&) const = default;
};
// No value for names of other folders.
std::optional<TrashOwner> trash_owner_of(const std::string& folder);

// Whether a path below the root can go to the trash: it leads neither out of the root nor into the
// trash.
bool may_be_trashed(std::string_view path);

struct TrashedFile {
  std::string path;  // Where it was, beneath the download root.
  std::string kept;  // Where it is, beneath the folder of the job's files.
  std::int64_t inode = 0;
  std::int64_t size = 0;
  std::int64_t mtime_ns = 0;
  Time at{};  // When it was moved there.

  // Whether an entry is this file, unchanged. The device is not compared: it may change with a
  // restart, and the trash is on the root's.
  bool is(const io::EntrySeen& seen) const;
  bool is(const SourceFile& source) const;

  bool operator==(const TrashedFile&) const = default;
};

std::string trash_json(const std::vector<TrashedFile>& files);
// Fault `bad_trash_index` (environment) if the text is no such JSON.
Result<std::vector<TrashedFile>> read_trash_json(std::string_view json);

// The index in a job's folder of the trash. Empty if there is none.
Result<std::vector<TrashedFile>> read_trash_index(const io::Descriptor& folder);
// An index without rows is removed.
[[nodiscard]] Result<void> write_trash_index(const io::Descriptor& folder,
                                             const std::vector<TrashedFile>& files);

}  // namespace haul::library

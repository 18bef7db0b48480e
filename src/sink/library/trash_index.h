#pragma once
// What the trash has of one job, as a small JSON file in the job's folder of the trash. A row is
// written before its file is moved, so a file without a row is not haul's.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "io/file/beneath.h"
#include "seam/source_file.h"

namespace haul::library {

struct TrashedFile {
  std::string path;  // Where it was, beneath the download root.
  std::string kept;  // Where it is, beneath the folder of the job's files.
  std::int64_t inode = 0;
  std::int64_t size = 0;
  std::int64_t mtime_ns = 0;
  Time at{};  // When it was moved there.

  // Whether an entry is this file. The device is not compared: it may change with a restart, and
  // the trash is on the root's.
  bool is(const io::EntrySeen& seen) const;
  bool is(const SourceFile& source) const;

  bool operator==(const TrashedFile&) const = default;
};

std::string trash_json(const std::vector<TrashedFile>& files);
// Fault `bad_trash_index` (environment) if the text is no such JSON.
Result<std::vector<TrashedFile>> read_trash_json(std::string_view json);

// The index in a job's folder of the trash. Empty if there is none.
Result<std::vector<TrashedFile>> read_trash_index(const io::Descriptor& folder);
// Changes the index, under a lock that every change takes, and returns what it has then. An index
// without rows is removed.
using TrashChange = std::function<void(std::vector<TrashedFile>& files)>;
Result<std::vector<TrashedFile>> change_trash_index(const io::Descriptor& folder,
                                                    const TrashChange& change);

}  // namespace haul::library

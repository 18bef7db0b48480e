#pragma once
// The folders of a library that one landing uses. Each is opened once, below the root and through
// no link; flushed once, after all files; and freed of the parts that earlier leases left there.

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "io/file/beneath.h"
#include "io/file/folder.h"
#include "io/file/part_name.h"

namespace haul::library {

// An open folder that files are imported to.
struct LibraryFolder {
  std::shared_ptr<const io::Folder> folder;
  io::Descriptor fd;  // The same folder.
};

class LibraryFolders {
 public:
  // `holder` has the store, the job and the fence of the current lease. `records` is for
  // use_root().
  explicit LibraryFolders(io::PartOwner holder, std::filesystem::path records = {});

  // Opens the folder `path` below the root, and makes it if it is missing. It is the root itself if
  // the path is empty. The root is never made: a disk that is not mounted has none, or an empty
  // one, which use_root() refuses. The result lives as long as this object.
  Result<const LibraryFolder*> open(const std::filesystem::path& root, const std::string& path);
  // Flushes all names that were added. Faults with the first folder that cannot be flushed.
  [[nodiscard]] Result<void> flush() const;

 private:
  Result<std::shared_ptr<const io::Folder>> open_folder(const std::filesystem::path& root,
                                                        const std::string& path) const;

  const io::PartOwner holder_;
  const std::filesystem::path records_;
  std::map<std::string, LibraryFolder> open_;  // By path. As many as the folders of one job.
};

}  // namespace haul::library

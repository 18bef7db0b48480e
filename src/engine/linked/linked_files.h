#pragma once
// The files of linked jobs on the disk: whether they are there, whether they are still the ones
// that were fetched, and the folders that they leave.

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "base/fault.h"
#include "seam/linked_jobs.h"
#include "seam/source_file.h"

namespace haul::linked {

using Roots = std::span<const std::filesystem::path>;

// The files with their identities. Faults of the kind environment, which may pass: `path_refused`,
// `size_differs`, `no_files`, `asset_pending` if the disk does not say, and `root_not_mounted` if a
// download root is gone or empty. Fault `missing_files` (permanent) if a file is gone.
Result<std::vector<SourceFile>> look_at_files(Roots roots, const std::vector<LinkedFile>& files);

// The file on the disk is the one that was fetched: it has the same inode and size, and no
// program has written to it since. False if the store does not know enough of it.
bool is_as_fetched(const SourceFile& seen, const LinkedFile& fetched);

// Removes the folder of a linked job if it is empty, lies directly in a root, and has the name that
// haul gives to such folders: the tag of the order, or the tag with the number of a retry.
void remove_empty_folder(Roots roots, const std::string& folder, const std::string& tag);

}  // namespace haul::linked

#pragma once
// Tells whether the disk of a library is mounted. The first import puts a small file into the root
// and records the root in haul's data. A recorded root without that file is a mount point without
// its disk, and haul puts nothing there. A mark moves with its disk; the number of a disk changes
// with a restart.

#include <filesystem>
#include <string_view>

#include "io/file/beneath.h"

namespace haul::library {

inline constexpr std::string_view kRootMark = ".haul-root";

// Call it before files are put below an open root. `records` is a folder of haul's data, made if it
// is missing; if it is empty, every root counts as mounted. Fault `root_not_mounted` (environment)
// if the root is recorded and lacks its mark. A root that is not recorded gets both.
[[nodiscard]] Result<void> use_root(const std::filesystem::path& records,
                                    const io::Descriptor& root, const std::filesystem::path& path);

// Whether a recorded root lacks its mark, or is not there at all. Writes nothing.
bool is_mark_gone(const std::filesystem::path& records, const std::filesystem::path& path);

}  // namespace haul::library

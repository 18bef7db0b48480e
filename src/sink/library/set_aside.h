#pragma once
// The name of a source while it is removed; see io/file/set_aside.h.

#include <cstdint>
#include <string>

#include "io/file/set_aside.h"
#include "sink/library/trash_index.h"

namespace haul::library {

// ".haul-clean-a1b2c3d4e5f6-7-1234": the name in the file's own folder. After a crash it says whose
// file this is.
std::string aside_name(const TrashOwner& owner, std::int64_t inode);

}  // namespace haul::library

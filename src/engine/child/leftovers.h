#pragma once
// Parts of files and folders of programs that no start works on, found by their names: a crash may
// leave some that no row of the store knows.

#include <functional>

#include "io/file/folder.h"
#include "io/file/part_name.h"

namespace haul::child {

// Removes what is in the folder and belongs to such an owner. Ends processes that still work there.
void remove_leftovers(const io::Folder& folder,
                      const std::function<bool(const io::PartOwner&)>& is_over);

}  // namespace haul::child

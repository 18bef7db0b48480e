#pragma once
// Parts of files and folders of programs that nobody works on any more, found by their names: a
// crash may leave some that no row knows of.

#include <functional>

#include "engine/http/part_name.h"
#include "io/file/folder.h"

namespace haul {

// Removes what is in the folder and belongs to such an owner. Ends processes that still work there.
void remove_leftovers(const Folder& folder, const std::function<bool(const PartOwner&)>& is_over);

}  // namespace haul

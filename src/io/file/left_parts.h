#pragma once
// Parts that earlier work left in a folder, found by their names or by a checkpoint.

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "io/file/checkpoint.h"
#include "io/file/folder.h"
#include "io/file/part_name.h"

namespace haul::io {

// Names of parts, by item.
using LeftParts = std::map<std::int64_t, std::vector<std::string>>;

LeftParts find_parts(const Folder& folder, const std::function<bool(const PartOwner&)>& is_wanted);

// Removes the parts that the holder's job left under its lease or an earlier one. For a caller
// whose landings of one job follow each other, so that none of these parts is in use.
void remove_left_parts(const Folder& folder, const PartOwner& holder);

// Removes the part that the checkpoint names, unless another file has that name by now.
void remove_kept_part(const Folder& folder, const Checkpoint& kept);

}  // namespace haul::io

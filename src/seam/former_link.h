#pragma once
// The mark in a checkpoint that its part came from another link than the item has now.

#include <string>
#include <string_view>

namespace haul {

// The checkpoint of a part, for an item whose URL takes the place of `former`. A checkpoint that
// names its source keeps it. Empty if there is nothing to go on with.
std::string at_new_link(std::string_view checkpoint, std::string_view former);

}  // namespace haul

#pragma once
// The part of an item that no start works on.

#include "io/file/destination.h"
#include "seam/engine.h"

namespace haul::engine {

// Removes the part that the order's checkpoint names, from the folder of its job.
void remove_kept_part(const io::Destinations& destinations, const Order& order);

}  // namespace haul::engine

#pragma once
// The six built-in tables: five kinds of job, and the items of a batch.

#include <span>
#include <string_view>

#include "lifecycle/table.h"

namespace haul {

extern const Lifecycle kBook;
extern const Lifecycle kMedia;
extern const Lifecycle kBatch;
extern const Lifecycle kItem;
extern const Lifecycle kRelay;
extern const Lifecycle kImage;

// All six, in the order of their documents.
std::span<const Lifecycle* const> all_lifecycles();

// Finds a table by its exact name; nullptr if there is none.
const Lifecycle* find_lifecycle(std::string_view name);

}  // namespace haul

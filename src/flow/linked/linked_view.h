#pragma once
// The result of a linked batch, as the job that added it sees it. Pure.

#include <span>

#include "seam/linked_jobs.h"
#include "store/items.h"

namespace haul::flow {

// A batch as the store has it.
struct LinkedFacts {
  const Job& job;
  const Counts& counts;
  std::span<const Item> items;  // The first ones. They may be fewer than the batch has.
};

// A batch whose items did not all arrive has failed, whatever its state says: a film with a missing
// file is not imported.
LinkedJob linked_view(const LinkedFacts& facts);

}  // namespace haul::flow

#pragma once
// Batches: one request, many items, fetched within the limits of their hosts (document 002).

#include "flow/worker/handler.h"

namespace haul::flow {

LifecycleWork batch_work(ItemEngine& items);

}  // namespace haul::flow

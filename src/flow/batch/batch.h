#pragma once
// Batches: one request, many items, fetched within the limits of their hosts (document 002).

#include "flow/batch/settings.h"
#include "flow/worker/handler.h"

namespace haul::flow {

LifecycleWork batch_work(ItemEngine& items, const BatchSettings& settings = {});

}  // namespace haul::flow

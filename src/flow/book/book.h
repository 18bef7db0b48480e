#pragma once
// Books: fetched by a download client (document 000).

#include "flow/worker/handler.h"

namespace haul::flow {

LifecycleWork book_work(RemoteEngine& client);

}  // namespace haul::flow

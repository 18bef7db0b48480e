#pragma once
// Films and episodes: fetched by a client, imported into a library, proven by a media server, and
// only then cleaned up (document 001).

#include "flow/media/settings.h"
#include "flow/worker/handler.h"
#include "seam/sink.h"

namespace haul::flow {

LifecycleWork media_work(RemoteEngine& client, Sink& library, const MediaSettings& settings = {});

}  // namespace haul::flow

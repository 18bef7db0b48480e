#pragma once
// Relays: a file from the cloud disk, sent into a chat (document 003).

#include "flow/relay/settings.h"
#include "flow/worker/handler.h"
#include "seam/sink.h"

namespace haul::flow {

LifecycleWork relay_work(RemoteEngine& disk, Sink& chat, const RelaySettings& settings = {});

}  // namespace haul::flow

#pragma once
// All engines and sinks, and the work of the lifecycles that use them. Built in app/ (or by the
// simulator).

#include <vector>

#include "flow/batch/settings.h"
#include "flow/image/settings.h"
#include "flow/media/settings.h"
#include "flow/relay/settings.h"
#include "flow/worker/lifecycle_work.h"
#include "seam/engine.h"
#include "seam/sink.h"

namespace haul::flow {

struct Outside {
  RemoteEngine& client;    // The download client for books and films. It outlives haul.
  ItemEngine& items;       // Fetches the items of a batch.
  RemoteEngine& disk;      // Reads a relay's file.
  RemoteEngine& images;    // The paid image API.
  Sink& library;           // Folders, and the media server that verifies them.
  Sink& chat;              // Where a relay delivers.
  Sink& bucket;            // Where a generated image is kept.
  Trash* trash = nullptr;  // Where the library keeps removed sources. Null if it deletes them.
};

// The settings that only one handler reads.
struct HandlerSettings {
  BatchSettings batch{};
  MediaSettings media{};
  RelaySettings relay{};
  ImageRules image{};
};

// The work of the five lifecycles, for a worker and for the API.
std::vector<LifecycleWork> lifecycle_work(const Outside& outside,
                                          const HandlerSettings& settings = {});

}  // namespace haul::flow

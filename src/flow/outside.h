#pragma once
// All engines and sinks that a worker uses. Built in app/ (or by the simulator).

#include "seam/engine.h"
#include "seam/sink.h"

namespace haul {

struct Outside {
  Engine& client;  // The download client for books and films. It outlives haul.
  Engine& http;    // Fetches the items of a batch.
  Engine& disk;    // Reads a relay's file.
  Engine& images;  // The paid image API.
  Sink& library;   // Folders, and the media server that verifies them.
  Sink& chat;      // Where a relay delivers.
  Sink& bucket;    // Where a generated image is kept.
};

}  // namespace haul

#pragma once
// Everything a worker can reach that is not the store. Built in app/ (or by the simulator).

#include "engine/engine.h"
#include "sink/sink.h"

namespace haul {

struct Outside {
  Engine& client;  // Fetches books and films for us and outlives us.
  Engine& http;    // Fetches the items of a batch.
  Engine& disk;    // Reads a relay's file.
  Engine& images;  // The paid provider.
  Sink& library;   // Folders and the media server that proves them.
  Sink& chat;      // Where a relay delivers.
  Sink& bucket;    // Where a generated image is kept.
};

}  // namespace haul

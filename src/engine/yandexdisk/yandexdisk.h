#pragma once
// Yandex Disk as the engine that reads the files of relays. It offers each file as a stream, which
// the chat takes. Nothing is written to this machine's disk, except a file that the order asks to
// be read whole first, into the spool.

#include <memory>

#include "base/clock.h"
#include "engine/yandexdisk/settings.h"
#include "io/file/room.h"
#include "io/web/http.h"
#include "seam/engine.h"
#include "seam/streams.h"
#include "seam/token_keeper.h"

namespace haul::yandexdisk {

// What the engine needs. All outlives it.
struct DiskParts {
  io::HttpLoop& loop;
  const Clock& clock;
  io::DiskSpace& space;  // Of the spool.
  Streams& streams;
  TokenKeeper& keeper;
};

// A read belongs to one lease: a start under a later fence or start replaces it. It reports Moving
// once the first bytes are in the stream, with the file's facts as checkpoint, later at most four
// times a second, and Finished once all bytes are in it. It reports Stopped if the chat breaks the
// stream, because the chat reports why. Destroying the engine breaks all streams.
std::unique_ptr<RemoteEngine> make_disk_engine(const DiskParts& parts, DiskSettings settings);

}  // namespace haul::yandexdisk

#pragma once
// The engine that has a provider generate images, one paid call each (document 004).

#include <memory>

#include "engine/imageapi/settings.h"
#include "io/file/room.h"
#include "io/process/picture.h"
#include "io/web/http.h"
#include "seam/engine.h"

namespace haul::imageapi {

// A repeated start is a second paid call, unless the first one still waits for its answer here. The
// loop, the clock, the space and the pictures outlive the engine. The engine writes to the disk on
// the loop's thread, so give it a loop of its own.
std::unique_ptr<RemoteEngine> make_image_engine(io::HttpLoop& loop, const Clock& clock,
                                                io::DiskSpace& space, io::Pictures& pictures,
                                                ImageSettings settings);

}  // namespace haul::imageapi

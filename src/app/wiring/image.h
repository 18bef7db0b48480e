#pragma once
// The provider of images, with an event loop of its own and the program that checks pictures.

#include <memory>
#include <optional>

#include "base/clock.h"
#include "engine/imageapi/settings.h"
#include "io/file/room.h"
#include "seam/engine.h"
#include "store/jobs.h"

namespace haul::app {

// Without settings, an engine that says what to configure. The clock and the space outlive it.
std::unique_ptr<RemoteEngine> make_images(const Clock& clock, io::DiskSpace& space,
                                          const std::optional<imageapi::ImageSettings>& settings);

// Refuses, as `bad_params`, a request whose parameters the provider would not take. Empty without
// settings.
RequestCheck image_params(const std::optional<imageapi::ImageSettings>& settings);

}  // namespace haul::app

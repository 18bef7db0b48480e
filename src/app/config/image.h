#pragma once
// [image]: the provider that generates images, what an image costs, and who may ask for how many.

#include <filesystem>
#include <optional>

#include "app/config/key.h"
#include "engine/imageapi/settings.h"

namespace haul::app {

ConfigArea image_area();

// Nullopt if no provider is configured. Reads the workflow's file, and refuses one that is no graph
// with a place for the prompt. `data` is haul's data folder. Reads the environment, so call it
// before other threads start.
Result<std::optional<imageapi::ImageSettings>> image_engine_settings(
    const Config& config, const std::filesystem::path& data);

// What a user configures first.
inline constexpr const char* kConfigureImages = "configure image.provider";

}  // namespace haul::app

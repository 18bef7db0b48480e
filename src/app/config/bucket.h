#pragma once
// [bucket]: where generated images are kept.

#include <filesystem>
#include <variant>

#include "app/config/key.h"
#include "sink/bucket/bucket.h"

namespace haul::app {

ConfigArea bucket_area();

using BucketSettings = std::variant<bucket::FolderBucketSettings, bucket::S3Settings>;

// `data` is haul's data folder. Reads the environment, so call it before other threads start.
BucketSettings bucket_settings(const Config& config, const std::filesystem::path& data);

}  // namespace haul::app

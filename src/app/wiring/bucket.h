#pragma once
// The bucket that keeps images, for the worker, which writes to it, and for the API, which reads.

#include <memory>
#include <string>

#include "api/kept_file.h"
#include "app/config/bucket.h"
#include "base/clock.h"
#include "io/file/room.h"
#include "seam/sink.h"

namespace haul::app {

// The space and the clock outlive it.
std::unique_ptr<Sink> make_bucket(const Clock& clock, io::DiskSpace& space,
                                  const BucketSettings& settings);

// Reads what the bucket has. The clock outlives it.
api::OpenKept bucket_reader(const Clock& clock, const BucketSettings& settings);

// Where links to images lead, besides haul itself: "https://host". Empty if nowhere.
std::string bucket_origin(const BucketSettings& settings);

}  // namespace haul::app

#pragma once
// Lands one image in a folder, or finds out whether that is possible. Waits for the disk.

#include <stop_token>

#include "seam/sink.h"
#include "sink/bucket/object_folder.h"

namespace haul::bucket {

// Landed, Stopped or Failed. Puts the original first, then its thumbnail. Once the original is in
// its place, a stop comes too late: the thumbnail takes moments.
What land_in_folder(const ObjectFolder& objects, const Parcel& parcel, const std::stop_token& stop);

// Usable, or Failed with a fault of haul's environment.
What check_folder(const ObjectFolder& objects);

}  // namespace haul::bucket

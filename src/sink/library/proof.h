#pragma once
// Proves that files arrived, without a media server: by reading them again from the disk.

#include <stop_token>

#include "seam/sink.h"
#include "sink/library/import_parcel.h"
#include "sink/library/known_hashes.h"

namespace haul::library {

// The answer to verify(). A file that came by a copy must have the bytes that were copied; any
// other must be there with its size. Indexed has all files. Failed (environment) with
// `copy_missing` if one is gone or has another size, `copy_damaged` if it has other bytes. Stopped
// if it was stopped.
What prove_by_reading(const Parcel& parcel, KnownHashes& hashes, const std::stop_token& stop,
                      const TellProgress& tell);

}  // namespace haul::library

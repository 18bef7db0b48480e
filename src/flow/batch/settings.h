#pragma once
// The settings of batches alone.

#include <cstddef>

#include "store/items.h"

namespace haul::flow {

struct BatchSettings {
  std::size_t videos_at_once = 2;  // yt-dlp processes, per job.
  // Items go on with the parts of equal items in paused jobs, which then begin anew, and of those
  // that failed.
  PastParts past_parts = PastParts::ignore;
};

}  // namespace haul::flow

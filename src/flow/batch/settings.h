#pragma once
// The settings of batches alone.

#include <cstddef>

#include "base/time.h"
#include "store/items.h"

namespace haul::flow {

struct BatchSettings {
  Millis yield_after{30'000};      // A job that waits longer for its host gives its lease back.
  std::size_t items_at_once = 16;  // Items in transfer, per job.
  int item_tries_max = 100;        // Z-11: tries per item, even if each makes progress.
  // How many small files may wait in the engine for a slot. Without them the host idles until the
  // worker has heard which files have ended, and has stored that.
  std::size_t ahead = 0;
  std::size_t videos_at_once = 2;  // yt-dlp processes, per job.
  // Items go on with the parts of equal items in paused jobs, which then begin anew, and of those
  // that failed.
  PastParts past_parts = PastParts::ignore;
};

}  // namespace haul::flow

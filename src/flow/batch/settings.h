#pragma once
// The settings of batches alone.

#include <cstddef>

namespace haul::flow {

struct BatchSettings {
  std::size_t videos_at_once = 2;  // yt-dlp processes, per job.
};

}  // namespace haul::flow

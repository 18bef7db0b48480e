#pragma once
// Progress and speed of a worker's transfers, for the API and streams.

#include <map>

#include "api/live/live_progress.h"
#include "base/speed.h"
#include "flow/worker/worker.h"

namespace haul::app {

// "Downloading", "Landing", "Retrying in 4 s (http_503)".
std::string status_of(const flow::TransferView& view);
std::string name_of(const std::string& path, const std::string& url);

class ProgressLook {
 public:
  // Call on the worker's thread.
  std::map<JobId, api::JobProgress> look(const flow::Worker& worker, Steady now);

 private:
  struct Have {
    std::int64_t bytes = 0;
    Steady since;  // When this count was first seen.
  };
  void mark_still(std::map<JobId, api::JobProgress>& all, Steady now);

  std::map<std::pair<JobId, std::int64_t>, Speed> speeds_;
  std::map<JobId, Have> have_;
};

}  // namespace haul::app

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
  std::map<JobId, api::JobProgress> look(Store& store, const flow::Worker& worker, Steady now);

 private:
  struct Have {
    std::int64_t bytes = 0;
    Steady since;  // When this count was first seen.
  };
  using Key = std::pair<JobId, std::int64_t>;  // A job, and an item of it.

  api::ItemProgress item_of(JobId job, const flow::TransferView& view, Steady now,
                            std::map<Key, Speed>& speeds);
  static void add_clients(const flow::Worker& worker, std::map<JobId, api::JobProgress>& all);
  // Since when an item or a job has had this many bytes.
  Steady still_since(const Key& key, std::int64_t bytes, Steady now);

  std::map<Key, Speed> speeds_;
  std::map<Key, Have> have_;  // As of the last look.
  std::map<Key, Have> seen_;  // Of the present look.
};

}  // namespace haul::app

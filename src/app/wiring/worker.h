#pragma once
// A worker of this process, with the engines and sinks that it uses. The daemon and `haul get` have
// one each.

#include <memory>
#include <string>

#include "app/config/config.h"
#include "app/wiring/outside.h"
#include "base/clock.h"
#include "base/random.h"
#include "flow/worker/worker.h"
#include "seam/token_keeper.h"

namespace haul::app {

// How often a worker of this process writes the changes of items.
inline constexpr Millis kWriteItemsEvery{24};

// The settings of the daemon's worker.
flow::Settings worker_settings(const Config& config);
// The settings of its handlers.
flow::HandlerSettings handler_settings(const Config& config);

class LocalWorker {
 public:
  LocalWorker(Store& store, const Clock& clock, OutsideSettings outside,
              const flow::Settings& settings, const std::string& name,
              const flow::HandlerSettings& handlers = {});
  ~LocalWorker();
  LocalWorker(const LocalWorker&) = delete;
  LocalWorker& operator=(const LocalWorker&) = delete;

  flow::Worker& operator*() { return worker_; }
  flow::Worker* operator->() { return &worker_; }

 private:
  SeededRandom random_;
  std::unique_ptr<LinkedJobs> linked_;        // Null if there is no download root.
  std::unique_ptr<TokenKeeper> disk_tokens_;  // Null without a disk.
  OutsideParts outside_;
  flow::Worker worker_;
};

}  // namespace haul::app

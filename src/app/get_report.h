#pragma once
// What `haul get` shows of its job: the transfers now, the items that ended, and the sum.

#include <cstdint>
#include <map>
#include <vector>

#include "base/clock.h"
#include "base/speed.h"
#include "cli/draw/progress.h"
#include "flow/worker/worker.h"
#include "store/store.h"

namespace haul::app {

class GetReport {
 public:
  GetReport(Store& store, const Clock& clock)
      : store_{store}, clock_{clock}, began_{clock.steady()} {}

  // The job that it reports of. It sees nothing before.
  void set_job(JobId job) { job_ = job; }
  // An item ended.
  void see(const flow::ItemEnded& item);

  // Call on the worker's thread.
  cli::GetView view(const flow::Worker& worker);
  // The items that ended since the last call.
  std::vector<cli::ItemEnd> take_ended();
  cli::GetSummary summary(cli::GetEnding ending);
  // The URLs that turned out to be Metalinks. They count neither as files nor as failed.
  const std::vector<std::string>& metalinks() const { return metalinks_; }

 private:
  // Why the whole job waits. Empty if it does not.
  std::string waits_because(const flow::Worker& worker) const;

  Store& store_;
  const Clock& clock_;
  const Steady began_;
  JobId job_;
  std::vector<cli::ItemEnd> ended_;
  std::vector<cli::ItemEnd> failures_;
  std::vector<std::string> metalinks_;
  std::int64_t landed_bytes_ = 0;
  std::int64_t received_ = 0;
  std::map<std::int64_t, Speed> speeds_;
  Speed total_;
};

}  // namespace haul::app

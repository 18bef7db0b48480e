#pragma once
// The work of one lifecycle: how a worker does it, and what must be configured before it can begin.
// The worker and the API get the same list, with one entry per lifecycle.

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "lifecycle/table.h"
#include "seam/lack.h"

namespace haul::flow {

class Desk;
class Handler;

struct LifecycleWork {
  const Lifecycle* lifecycle = nullptr;
  // Makes a worker's handler, which acts through the worker's desk.
  std::function<std::unique_ptr<Handler>(Desk&)> make_handler;
  // Z-30: what the lifecycle lacks before a job can begin, in the configuration's words. Empty if
  // it is ready. `engine` is the one that the job's request asks for, or empty if it asks for none.
  // Call from any thread.
  std::function<std::string(std::string_view engine)> not_ready = [](std::string_view) {
    return std::string{};
  };
};

// The entry of a lifecycle; nullptr if there is none.
const LifecycleWork* find_work(std::span<const LifecycleWork> all, const Lifecycle& lifecycle);

// What the lifecycle's entry says. Empty if there is no entry: then this process does not know.
std::string not_ready(std::span<const LifecycleWork> all, const Lifecycle& lifecycle,
                      std::string_view engine = {});

// Whether a worker with this list begins jobs of the lifecycle.
bool is_ready(std::span<const LifecycleWork> all, const Lifecycle& lifecycle);

// What two parts of a lifecycle's work lack together, in this order. Empty if both are ready. What
// this build cannot do is named alone: the user would configure the other part for nothing.
std::string both_not_ready(const Lack& first, const Lack& second);

}  // namespace haul::flow

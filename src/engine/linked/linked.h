#pragma once
// The engine that fetches a film over HTTP: it has haul add a batch that fetches the film's files,
// and reports that batch's result to the film's job. The number of the linked batch is the handle.

#include <filesystem>
#include <memory>
#include <vector>

#include "io/process/poll.h"
#include "seam/engine.h"
#include "seam/linked_jobs.h"

namespace haul::linked {

struct LinkedSettings {
  std::vector<std::filesystem::path> roots;  // Download roots, absolute, without a trailing slash.
};

// The loop and the jobs outlive the engine. It asks the store and reads the disk on the loop's
// thread, so give it a loop of its own.
std::unique_ptr<RemoteEngine> make_linked_engine(io::PollLoop& loop, LinkedJobs& jobs,
                                                 LinkedSettings settings);

}  // namespace haul::linked

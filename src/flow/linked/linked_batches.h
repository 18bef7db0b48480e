#pragma once
// Batches that fetch the files of other jobs. Each such job has one batch per life: from when it is
// added, or retried by hand, to its end.

#include <filesystem>
#include <functional>
#include <memory>

#include "base/clock.h"
#include "seam/linked_jobs.h"
#include "store/store.h"

namespace haul::flow {

// A batch belongs to the owner of the job that it is for, and puts its files into a folder of its
// own below `root`. `wake` is called after a batch was added or its cancel was asked for, so that a
// worker sees that at once. The store and the clock outlive the result.
std::unique_ptr<LinkedJobs> make_linked_batches(
    Store& store, const Clock& clock, std::filesystem::path root,
    std::function<void()> wake = [] {});

}  // namespace haul::flow

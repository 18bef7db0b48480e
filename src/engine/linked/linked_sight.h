#pragma once
// What a linked job comes to, as the engine reports it. Pure.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "seam/linked_jobs.h"
#include "seam/sight.h"

namespace haul::linked {

// "17": the number of the linked job.
std::string handle_of(JobId job);
// No value if the text is no handle of this engine.
std::optional<JobId> job_of(std::string_view handle);

// The files of a whole job, as the disk has them.
struct LinkedFilesSeen {
  std::int64_t size = 0;
  std::string why_not{};  // The code of the fault if one of them is not in its place.
};

// `files` matters only to a whole job. A job that was cancelled is a transfer that is gone.
What sight_of(const LinkedJob& job, const LinkedFilesSeen& files);

}  // namespace haul::linked

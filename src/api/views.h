#pragma once
// Jobs with everything that is said about them, read from the store.

#include "api/call.h"
#include "api/job_json.h"

namespace haul {

// `viewer`: who asks. Only a job's owner sees its addresses whole; zero: nobody's view.
JobView view_of(const ApiParts& parts, const Job& job, Time now, UserId viewer = {});
JobView view_of(const ApiParts& parts, const Loaded& loaded, Time now, UserId viewer = {});

// The job a path names, if whoever asks may see it: else as if it did not exist. A request that
// changes it is audited where it is somebody else's.
std::expected<Job, ApiError> find_job(const ApiParts& parts, const Call& call);

}  // namespace haul

#pragma once
// Jobs with everything that the API says about them, read from the store.

#include <expected>
#include <optional>
#include <vector>

#include "api/call.h"
#include "api/json/job_json.h"

namespace haul::api {

// `viewer` is the user who asks: only a job's owner sees its addresses whole. Zero: not the owner.
JobView view_of(const ApiParts& parts, Loaded loaded, Time now, UserId viewer = {});
JobView view_of(const ApiParts& parts, Job job, Time now, UserId viewer = {});
// Many jobs, in their order. The number of reads does not depend on how many jobs there are.
std::vector<JobView> views_of(const ApiParts& parts, std::vector<Loaded> jobs, Time now,
                              UserId viewer = {});
std::vector<JobView> views_of(const ApiParts& parts, std::vector<Job> jobs, Time now,
                              UserId viewer = {});

Viewer viewer_of(const Job& job, UserId viewer);

// The job that the path names. A job that the user may not see gets the same 404 as one that does
// not exist. If the request changes another user's job, the change is audited.
std::expected<Job, ApiError> find_job(const ApiParts& parts, const Call& call);
// The job that the field `job` of the query names, with the same 404. Nothing if the query has no
// such field.
std::expected<std::optional<JobId>, ApiError> job_in_query(const ApiParts& parts, const Call& call);

}  // namespace haul::api

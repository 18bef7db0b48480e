#pragma once
// Which jobs a request is about: the filters of lists, which bulk actions take too.

#include <expected>
#include <optional>
#include <string>

#include "api/call.h"
#include "api/handlers/read_request.h"
#include "store/reader.h"

namespace haul::api {

// The filter of a list: the query of the request, with its order and its page.
std::expected<JobFilter, ApiError> read_job_filter(const ApiParts& parts, const Call& call);

// The same filters as an object of a body, without order and page. Errors name the fields by their
// path: "filter.state".
std::expected<JobFilter, ApiError> read_job_filter(const ApiParts& parts, const Call& call,
                                                   std::string_view object);

// Refuses a category that is not configured, if the list has no job of it either. A category that
// was removed from the configuration may still have jobs.
std::optional<ApiError> check_category(const ApiParts& parts, const JobFilter& filter,
                                       const JobPage& page);

// The error of a field inside the object `filter`.
ApiError inside_filter(ApiError error);

// The cursor of the page after this one; empty on the last page.
std::string cursor_of(const JobFilter& filter, const JobPage& page);

}  // namespace haul::api

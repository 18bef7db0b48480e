#include "engine/linked/linked_sight.h"

#include <fmt/core.h>

#include "base/request_value.h"

namespace haul::linked {
namespace {

constexpr const char* kWaiting = "queued_in_client";  // As a client's own queue.
constexpr const char* kFailed = "linked_job_failed";

// "job 17: http_404: not found"
std::string told_of(const LinkedJob& job) {
  std::string text = fmt::format("job {}", job.id.value);
  if (!job.reason.empty()) text += ": " + job.reason;
  if (!job.detail.empty()) text += ": " + job.detail;
  return text;
}

}  // namespace

std::string handle_of(JobId job) { return std::to_string(job.value); }

std::optional<JobId> job_of(std::string_view handle) {
  const auto number = read_whole(handle);
  if (!number || *number <= 0 || std::to_string(*number) != handle) return std::nullopt;
  return JobId{*number};
}

What sight_of(const LinkedJob& job, const LinkedFilesSeen& files) {
  switch (job.is) {
    case LinkedJob::Is::waiting:
      return Waiting{.detail = told_of(job), .code = kWaiting};
    case LinkedJob::Is::fetching:
      return Moving{.have = job.have, .size = job.size, .path = {}, .checkpoint = {}};
    case LinkedJob::Is::whole:
      return Finished{
          .path = job.folder,
          .size = files.size,
          .in_place = files.why_not.empty(),
          .evidence = fmt::format(R"({{"job":{},"size":{}}})", job.id.value, files.size),
          .why_not = files.why_not};
    case LinkedJob::Is::failed:
      return Failed{
          .fault = {FaultKind::permanent, job.reason.empty() ? kFailed : job.reason, told_of(job)},
          .checkpoint = {}};
    case LinkedJob::Is::cancelled:
      return Missing{};
  }
  return Missing{};  // Not reached: the switch is complete.
}

}  // namespace haul::linked

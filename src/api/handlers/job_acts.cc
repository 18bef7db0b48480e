// Handlers that change one job: cancel, retry, pause, resume, delete, priority.

#include <fmt/core.h>

#include "api/handlers/handlers.h"
#include "api/handlers/job_view.h"
#include "api/handlers/read_request.h"
#include "flow/user/user.h"
#include "store/rules/priority.h"

namespace haul::api {
namespace {

ApiReply job_reply(const ApiParts& parts, JobId id, int status, const Call& call) {
  const auto job = parts.store.reader().find(id);
  if (!job) return std::unexpected{ApiError{404, "no_such_job", "the job no longer exists"}};
  WebReply reply = json_reply(status, to_json(view_of(parts, *job, call.now, call.who.user.id)));
  if (status == 201)
    reply.headers.emplace_back("Location", fmt::format("/api/v1/jobs/{}", id.value));
  return reply;
}

// Adds the job's state and the moves it allows to a refusal.
ApiError not_now(const ApiParts& parts, const Job& job, const Refusal& refusal, Time now) {
  const JobView view = view_of(parts, job, now);
  std::string allowed;
  for (const std::string& move : view.allowed)
    allowed += fmt::format("{}\"{}\"", allowed.empty() ? "" : ",", move);
  ApiError error = error_of(refusal);
  if (error.status == 422) error.status = 409;
  if (error.detail == job.version.state)
    error.detail = fmt::format("the job is {}", job.version.state);
  error.more = fmt::format("\"state\":\"{}\",\"allowed\":[{}]", job.version.state, allowed);
  return error;
}

std::expected<OwnFiles, ApiError> read_own_files(const WebRequest& request) {
  for (const auto& [name, value] : request.target.query) {
    if (name != "files") continue;
    if (value == "true") return OwnFiles::remove;
    if (value != "false") return std::unexpected{wrong_field("files", "expected true or false")};
  }
  return OwnFiles::keep;
}

// These requests take no fields: the body is empty or {}.
std::expected<Job, ApiError> find_for(const ApiParts& parts, const Call& call) {
  auto job = find_job(parts, call);
  if (!job || call.request.body.empty()) return job;
  if (const auto body = Body::read(call.request.body, {}); !body)
    return std::unexpected{body.error()};
  return job;
}

}  // namespace

namespace handle {

ApiReply cancel_job(const ApiParts& parts, const Call& call) {
  const auto job = find_for(parts, call);
  if (!job) return std::unexpected{job.error()};
  const flow::CancelAnswer answer = flow::cancel(parts.store, job->version.id, call.now);
  if (answer.refusal) return std::unexpected{not_now(parts, *job, *answer.refusal, call.now)};
  tell_worker(parts);
  return job_reply(parts, job->version.id, answer.moved ? 200 : 202, call);
}

ApiReply retry_job(const ApiParts& parts, const Call& call) {
  const auto job = find_for(parts, call);
  if (!job) return std::unexpected{job.error()};
  const auto answer = flow::retry(parts.store, job->version.id, call.now, parts.work);
  if (!answer) return std::unexpected{not_now(parts, *job, answer.error(), call.now)};
  tell_worker(parts);
  const bool is_new = answer->id != job->version.id && !answer->replayed;
  return job_reply(parts, answer->id, is_new ? 201 : 200, call);
}

ApiReply pause_job(const ApiParts& parts, const Call& call) {
  const auto job = find_for(parts, call);
  if (!job) return std::unexpected{job.error()};
  const flow::PauseAnswer answer = flow::pause(parts.store, job->version.id, call.now);
  if (answer.refusal) return std::unexpected{not_now(parts, *job, *answer.refusal, call.now)};
  if (answer.wished) tell_worker(parts);
  return job_reply(parts, job->version.id, answer.done ? 200 : 202, call);
}

ApiReply resume_job(const ApiParts& parts, const Call& call) {
  const auto job = find_for(parts, call);
  if (!job) return std::unexpected{job.error()};
  const flow::PauseAnswer answer = flow::resume(parts.store, job->version.id, call.now);
  if (answer.refusal) return std::unexpected{not_now(parts, *job, *answer.refusal, call.now)};
  tell_worker(parts);
  return job_reply(parts, job->version.id, 200, call);
}

ApiReply delete_job(const ApiParts& parts, const Call& call) {
  if (auto error = check_query(call.request, {"files"})) return std::unexpected{*error};
  const auto files = read_own_files(call.request);
  if (!files) return std::unexpected{files.error()};
  const auto job = find_for(parts, call);
  if (!job) return std::unexpected{job.error()};
  const auto hidden = flow::hide(parts.store, job->version.id, *files, call.now);
  if (!hidden) return std::unexpected{not_now(parts, *job, hidden.error(), call.now)};
  return job_reply(parts, job->version.id, 200, call);
}

ApiReply set_priority(const ApiParts& parts, const Call& call) {
  const auto job = find_job(parts, call);
  if (!job) return std::unexpected{job.error()};
  const auto body = Body::read(call.request.body, {"priority"});
  if (!body) return std::unexpected{body.error()};
  const auto priority = read_priority(*body);
  if (!priority) return std::unexpected{priority.error()};
  const std::optional<int>& wanted = *priority;
  if (!wanted)
    return std::unexpected{wrong_field("priority", std::string{rules::kPriorityExpected})};
  const auto set = parts.store.jobs().set_priority(job->version.id, *wanted, call.now);
  if (!set) return std::unexpected{not_now(parts, *job, set.error(), call.now)};
  return job_reply(parts, job->version.id, 200, call);
}

// Z-31. A second call has nothing to clear and succeeds too.
ApiReply resume_store(const ApiParts& parts, const Call& call) {
  const bool resumed = parts.store.identity().clear_restored(call.who.user.id, call.now);
  if (resumed) tell_worker(parts);
  return json_reply(200, fmt::format(R"({{"resumed":{},"restored_at":null}})", resumed));
}

}  // namespace handle
}  // namespace haul::api

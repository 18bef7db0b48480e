// One action on all jobs that match a filter, a page at a time, with a dry run.

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "api/fault_of.h"
#include "api/handlers/handlers.h"
#include "api/handlers/job_filter.h"
#include "api/handlers/job_view.h"
#include "flow/user/user.h"
#include "store/rules/purge.h"

namespace haul::api {
namespace {

// What became of one job.
struct Acted {
  JobId id;                  // The job that did it: a retry may add another one.
  bool is_accepted = false;  // A worker or a client must stop its work first.
  std::optional<Refusal> refusal{};
};

Acted cancel(const ApiParts& parts, const Job& job, OwnFiles, Time now) {
  const JobId id = job.version.id;
  flow::CancelAnswer answer = flow::cancel(parts.store, id, now);
  return {id, !answer.moved, std::move(answer.refusal)};
}

Acted retry(const ApiParts& parts, const Job& job, OwnFiles, Time now) {
  const auto answer = flow::retry(parts.store, job.version.id, now, parts.work);
  if (!answer) return {job.version.id, false, answer.error()};
  return {answer->id};
}

Acted pause(const ApiParts& parts, const Job& job, OwnFiles, Time now) {
  const JobId id = job.version.id;
  flow::PauseAnswer answer = flow::pause(parts.store, id, now);
  return {id, !answer.done, std::move(answer.refusal)};
}

Acted resume(const ApiParts& parts, const Job& job, OwnFiles, Time now) {
  return {job.version.id, false, flow::resume(parts.store, job.version.id, now).refusal};
}

Acted remove(const ApiParts& parts, const Job& job, OwnFiles files, Time now) {
  const auto hidden = flow::hide(parts.store, job.version.id, files, now);
  if (hidden) return {job.version.id};
  return {job.version.id, false, hidden.error()};
}

struct Action {
  std::string_view name;
  std::string_view audit;
  Acted (*act)(const ApiParts& parts, const Job& job, OwnFiles files, Time now);
};
constexpr std::array kActions{
    Action{"cancel", "JOB_CANCELLED", cancel}, Action{"retry", "JOB_RETRIED", retry},
    Action{"pause", "JOB_PAUSED", pause},      Action{"resume", "JOB_RESUMED", resume},
    Action{"delete", "JOB_DELETED", remove},
};

struct BulkRequest {
  const Action* action = nullptr;
  JobFilter filter;
  bool is_dry = false;
  OwnFiles files = OwnFiles::keep;  // What a delete does with them.
};

std::expected<const Action*, ApiError> read_action(const Body& body) {
  const auto text = body.text("action");
  if (!text) return std::unexpected{text.error()};
  const auto* const found = std::ranges::find(kActions, *text, &Action::name);
  if (found == kActions.end())
    return std::unexpected{
        wrong_field("action", "expected cancel, retry, pause, resume or delete")};
  return found;
}

// The part of the jobs that this call is about.
std::optional<ApiError> read_part(const Body& body, JobFilter& filter) {
  const auto limit = body.number("limit");
  if (!limit) return limit.error();
  const std::int64_t most = limit->value_or(kPageMax);
  if (most < 1 || most > static_cast<std::int64_t>(kPageMax))
    return wrong_field("limit", "expected a number from 1 to 100");
  filter.limit = static_cast<std::size_t>(most);
  const auto text = body.text("cursor");
  if (!text) return text.error();
  if (text->empty()) return std::nullopt;
  const auto cursor = read_number(*text);
  if (!cursor || *cursor < 1) return wrong_field("cursor", "expected the value of `next`");
  filter.before = JobId{*cursor};
  return std::nullopt;
}

std::expected<BulkRequest, ApiError> read_bulk(const ApiParts& parts, const Call& call) {
  const auto body =
      Body::read(call.request.body, {"action", "filter", "dry_run", "files", "limit", "cursor"},
                 {"filter"});  // read_job_filter() checks its fields.
  if (!body) return std::unexpected{body.error()};
  const auto action = read_action(*body);
  if (!action) return std::unexpected{action.error()};
  const auto dry = body->flag("dry_run");
  if (!dry) return std::unexpected{dry.error()};
  const auto files = body->flag("files");
  if (!files) return std::unexpected{files.error()};
  if (*files && (*action)->act != remove)
    return std::unexpected{wrong_field("files", "only delete takes it")};
  const JsonField* object = body->find("filter");
  if (!object || !object->json.starts_with('{'))
    return std::unexpected{
        wrong_field("filter", "expected an object; {} is all jobs that you may change")};
  auto filter = read_job_filter(parts, call, object->json);
  if (!filter) return std::unexpected{filter.error()};
  if (auto error = read_part(*body, *filter)) return std::unexpected{*error};
  return BulkRequest{*action, *std::move(filter), *dry, *files ? OwnFiles::remove : OwnFiles::keep};
}

// What a dry run says: whether the job allows the action now.
bool would_act(const BulkRequest& bulk, const JobView& view) {
  if (bulk.files == OwnFiles::remove && !rules::has_own_files(*view.job.version.lifecycle))
    return false;
  return std::ranges::find(view.allowed, bulk.action->name) != view.allowed.end();
}

std::string line_of(const Job& job, std::string_view outcome, std::string_view more = "") {
  return fmt::format(R"({{"id":{},"state":{},"outcome":"{}"{}}})", job.version.id.value,
                     json_quoted(job.version.state), outcome, more);
}

std::string files_json(const Counts& counts) {
  return fmt::format(R"(,"files":{},"bytes":{})", counts.downloaded, counts.bytes);
}

std::string line_of(const Job& job, const Acted& acted, const std::string& more) {
  if (acted.refusal)
    return line_of(job, "refused",
                   fmt::format(R"(,"code":{},"detail":{})", json_quoted(acted.refusal->code),
                               json_quoted(acted.refusal->detail)));
  const std::string other =
      acted.id == job.version.id ? "" : fmt::format(R"(,"job":{})", acted.id.value);
  return line_of(job, acted.is_accepted ? "accepted" : "done", other + more);
}

// The outcome of each job, in order, and how many of them were or would be acted on.
struct Outcomes {
  std::vector<std::string> lines;
  std::size_t acted = 0;
  std::int64_t files = 0;  // Of the jobs that were acted on.
  std::int64_t bytes = 0;
  JobId stopped_at{};  // The store failed at this job, and the jobs after it were left alone.

  // A job that was or would be acted on. Returns what its line says about its files.
  std::string add(const BulkRequest& bulk, const Counts& counts) {
    ++acted;
    if (bulk.files == OwnFiles::keep) return {};
    files += counts.downloaded;
    bytes += counts.bytes;
    return files_json(counts);
  }
};

Outcomes try_all(const ApiParts& parts, const Call& call, const BulkRequest& bulk,
                 std::vector<Job> jobs) {
  Outcomes outcomes;
  for (const JobView& view : views_of(parts, std::move(jobs), call.now, call.who.user.id)) {
    const bool would = would_act(bulk, view);
    const std::string more = would ? outcomes.add(bulk, view.counts) : "";
    outcomes.lines.push_back(line_of(view.job, would ? "would" : "refused", more));
  }
  return outcomes;
}

std::vector<Counts> counts_of(const ApiParts& parts, const BulkRequest& bulk,
                              const std::vector<Job>& jobs) {
  if (bulk.files == OwnFiles::keep) return std::vector<Counts>(jobs.size());
  std::vector<JobId> ids;
  ids.reserve(jobs.size());
  for (const Job& job : jobs) ids.push_back(job.version.id);
  return parts.store.items().counts(ids);
}

// What became of a job if the store is busy or full. Throws any other fault. Throws also if no job
// was acted on yet, because then the whole request can be refused.
Acted stopped(const Outcomes& outcomes, const Job& job, const StoreFault& fault) {
  if (!is_passing(fault.kind()) || outcomes.acted == 0) throw StoreFault{fault};
  ApiError error = error_of(fault);
  return {job.version.id, false,
          Refusal{.code = std::move(error.code), .detail = std::move(error.detail), .field = {}}};
}

Outcomes act_on_all(const ApiParts& parts, const Call& call, const BulkRequest& bulk,
                    const std::vector<Job>& jobs) {
  Outcomes outcomes;
  const std::vector<Counts> counts = counts_of(parts, bulk, jobs);
  for (std::size_t i = 0; i < jobs.size() && !outcomes.stopped_at; ++i) {
    const Job& job = jobs[i];
    Acted acted;
    try {
      acted = bulk.action->act(parts, job, bulk.files, call.now);
    } catch (const StoreFault& fault) {
      // Earlier jobs have changed. The request must succeed, so that they are audited.
      acted = stopped(outcomes, job, fault);
      outcomes.stopped_at = job.version.id;
    }
    const std::string more = acted.refusal ? "" : outcomes.add(bulk, counts[i]);
    outcomes.lines.push_back(line_of(job, acted, more));
    if (acted.refusal) continue;
    call.touch({.owner = job.owner,
                .job = job.version.id,
                .detail = fmt::format("job of user {}", job.owner.value),
                .action = bulk.action->audit});
  }
  if (outcomes.acted > 0) tell_worker(parts);
  return outcomes;
}

}  // namespace

namespace handle {

ApiReply act_on_jobs(const ApiParts& parts, const Call& call) {
  const auto bulk = read_bulk(parts, call);
  if (!bulk) return std::unexpected{bulk.error()};
  JobPage page = parts.store.reader().list(bulk->filter);
  if (auto error = check_category(parts, bulk->filter, page))
    return std::unexpected{inside_filter(*std::move(error))};
  std::string next = cursor_of(bulk->filter, page);
  const Outcomes outcomes = bulk->is_dry ? try_all(parts, call, *bulk, std::move(page.jobs))
                                         : act_on_all(parts, call, *bulk, page.jobs);
  if (outcomes.stopped_at) next = std::to_string(outcomes.stopped_at.value);  // Newest first.
  WebReply reply = list_reply(outcomes.lines, next);
  reply.body.pop_back();
  reply.body +=
      fmt::format(R"(,"action":"{}","dry_run":{},"matched":{},"acted":{})", bulk->action->name,
                  bulk->is_dry, outcomes.lines.size(), outcomes.acted);
  if (bulk->files == OwnFiles::remove)
    reply.body += fmt::format(R"(,"files":{},"bytes":{})", outcomes.files, outcomes.bytes);
  reply.body += "}";
  return reply;
}

}  // namespace handle
}  // namespace haul::api

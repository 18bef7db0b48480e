#include "api/handlers/job_view.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "api/handlers/read_request.h"
#include "api/live/job_sum.h"
#include "base/ensure.h"
#include "flow/user/why.h"

namespace haul::api {
namespace {

// Whether the job can have neither items nor intents yet: nothing has happened to it, and neither a
// worker nor a client has it.
bool is_fresh(const Job& job) {
  return job.version.seq == 0 && !job.worker && !job.state().is_at_client();
}

JobView make_view(const ApiParts& parts, flow::WhyFacts facts, std::string request, UserId viewer) {
  flow::Why why = flow::explain(facts, parts.settings);
  const JobId id = facts.job.version.id;
  const Viewer role = viewer_of(facts.job, viewer);
  std::optional<Time> lease_until;
  if (facts.worker)
    lease_until = facts.worker->beat_at + lease_of(parts.settings, *facts.job.version.lifecycle);
  auto progress = parts.progress.find(id);
  if (!progress && facts.job.state().is_open()) progress = parts.progress.last(id);
  return {.job = std::move(facts.job),
          .viewer = role,
          .request = std::move(request),
          .counts = facts.counts,
          .allowed = std::move(why.allowed),
          .lease_until = lease_until,
          .stuck = why.stuck,
          .begins_at = why.code == flow::kScheduled ? why.next_at : std::nullopt,
          .progress = std::move(progress)};
}

// Whether its last numbers are only in the store: this process has not run the job yet, or has
// forgotten them.
bool lacks_progress(const JobView& view) {
  const Job& job = view.job;
  return !view.progress && view.counts.total > 0 && job.state().is_open() && !job.worker &&
         job.version.lifecycle->items;
}

JobProgress stored_progress(const JobView& view, const OpenBytes& open) {
  const JobSum sum =
      sum_of(view.counts, {.have = open.have, .sized = open.sized, .left = open.left}, 0);
  return {.job = view.job.version.id,
          .owner = view.job.owner,
          .have = sum.have,
          .size = sum.size,
          .speed = 0,
          .eta = {},
          .size_least = sum.size_least,
          .is_resting = true,
          .items = {},
          .still_since = {}};
}

// One read for all.
void add_stored_progress(Store& store, std::span<JobView> views) {
  std::vector<JobView*> lacking;
  std::vector<JobId> ids;
  for (JobView& view : views) {
    if (!lacks_progress(view)) continue;
    lacking.push_back(&view);
    ids.push_back(view.job.version.id);
  }
  const std::vector<std::optional<OpenBytes>> open = store.items().open_bytes(ids);
  ensure(open.size() == ids.size(), "the store answers for each job");
  for (std::size_t i = 0; i < open.size(); ++i)
    if (const auto& bytes = open[i]) lacking[i]->progress = stored_progress(*lacking[i], *bytes);
}

// A page of jobs has few workers: each is read once.
std::map<WorkerId, std::optional<WorkerRow>> find_workers(Store& store, std::vector<WorkerId> ids) {
  std::ranges::sort(ids);
  ids.erase(std::ranges::unique(ids).begin(), ids.end());
  std::vector<std::optional<WorkerRow>> rows = store.workers().find(ids);
  ensure(rows.size() == ids.size(), "the store answers for each worker");
  std::map<WorkerId, std::optional<WorkerRow>> workers;
  for (std::size_t i = 0; i < ids.size(); ++i) workers.emplace(ids[i], std::move(rows[i]));
  return workers;
}

// Nothing if the caller may not see the job.
std::optional<Job> job_seen(const ApiParts& parts, const Call& call, JobId id) {
  auto job = parts.store.reader().find(id);
  const bool is_ours = job && (!call.who.scope() || job->owner == call.who.user.id);
  return is_ours ? std::move(job) : std::nullopt;
}

ApiError no_such_job() { return {404, "no_such_job", "there is no such job"}; }

}  // namespace

Viewer viewer_of(const Job& job, UserId viewer) {
  return viewer == job.owner ? Viewer::owner : Viewer::other;
}

JobView view_of(const ApiParts& parts, Job job, Time now, UserId viewer) {
  std::string request = parts.store.reader().request(job.version.id).value_or("{}");
  return view_of(parts, Loaded{std::move(job), std::move(request)}, now, viewer);
}

JobView view_of(const ApiParts& parts, Loaded loaded, Time now, UserId viewer) {
  flow::WhyFacts facts{.job = std::move(loaded.job), .now = now};
  const JobId id = facts.job.version.id;
  if (!is_fresh(facts.job)) {
    facts.intents = parts.store.intents().open_of(id);
    facts.counts = parts.store.items().counts(id);
  }
  if (facts.job.worker) facts.worker = parts.store.workers().find(facts.job.worker);
  const bool is_hidden = facts.job.hidden_at.has_value();
  JobView view = make_view(parts, std::move(facts), std::move(loaded.request), viewer);
  if (is_hidden) view.purge = parts.store.purges().find(id);
  add_stored_progress(parts.store, {&view, 1});
  return view;
}

std::vector<JobView> views_of(const ApiParts& parts, std::vector<Job> jobs, Time now,
                              UserId viewer) {
  std::vector<JobId> ids;
  ids.reserve(jobs.size());
  for (const Job& job : jobs) ids.push_back(job.version.id);
  std::vector<std::optional<std::string>> requests = parts.store.reader().requests(ids);
  ensure(requests.size() == ids.size(), "the store answers for each job");
  std::vector<Loaded> loaded;
  loaded.reserve(jobs.size());
  for (std::size_t i = 0; i < jobs.size(); ++i)
    loaded.push_back({std::move(jobs[i]), std::move(requests[i]).value_or("{}")});
  return views_of(parts, std::move(loaded), now, viewer);
}

std::vector<JobView> views_of(const ApiParts& parts, std::vector<Loaded> jobs, Time now,
                              UserId viewer) {
  std::vector<JobId> begun;  // Those that are not fresh, in order.
  std::vector<WorkerId> holders;
  for (const Loaded& each : jobs) {
    if (!is_fresh(each.job)) begun.push_back(each.job.version.id);
    if (each.job.worker) holders.push_back(each.job.worker);
  }
  std::vector<std::vector<Intent>> intents = parts.store.intents().open_of(begun);
  const std::vector<Counts> counts = parts.store.items().counts(begun);
  ensure(intents.size() == begun.size() && counts.size() == begun.size(),
         "the store answers for each job");
  const auto workers = find_workers(parts.store, std::move(holders));
  std::vector<JobView> views;
  views.reserve(jobs.size());
  std::size_t next = 0;  // Of `begun`.
  for (Loaded& each : jobs) {
    flow::WhyFacts facts{.job = std::move(each.job), .now = now};
    if (!is_fresh(facts.job)) {
      facts.intents = std::move(intents[next]);
      facts.counts = counts[next++];
    }
    if (facts.job.worker) facts.worker = workers.at(facts.job.worker);
    views.push_back(make_view(parts, std::move(facts), std::move(each.request), viewer));
  }
  add_stored_progress(parts.store, views);
  return views;
}

std::expected<Job, ApiError> find_job(const ApiParts& parts, const Call& call) {
  const auto id = read_number(call.word());
  auto job = id && *id > 0 ? job_seen(parts, call, JobId{*id}) : std::nullopt;
  if (!job) return std::unexpected{no_such_job()};
  call.touch({.owner = job->owner,
              .job = job->version.id,
              .detail = fmt::format("job of user {}", job->owner.value)});
  return *std::move(job);
}

std::expected<std::optional<JobId>, ApiError> job_in_query(const ApiParts& parts,
                                                           const Call& call) {
  const std::string_view text = call.request.query("job");
  if (text.empty()) return std::nullopt;
  const auto id = read_number(text);
  if (!id || *id < 1) return std::unexpected{wrong_field("job", "expected a job id")};
  if (job_seen(parts, call, JobId{*id})) return JobId{*id};
  ApiError error = no_such_job();
  error.fields = {{"job", "no such job"}};
  return std::unexpected{error};
}

}  // namespace haul::api

// Handlers that read jobs.

#include <fmt/core.h>

#include <algorithm>

#include "api/handlers/ask.h"
#include "api/handlers/handlers.h"
#include "api/handlers/views.h"
#include "api/json/why_json.h"
#include "base/ascii.h"
#include "flow/why.h"
#include "lifecycle/tables.h"
#include "store/search.h"

namespace haul {
namespace {

constexpr std::size_t kNamedMax = 1'000;  // Files that a result names, at most.
constexpr Millis kStalledAfter{std::chrono::minutes{5}};

std::optional<End> end_named(std::string_view text) {
  for (const End end : {End::open, End::good, End::bad, End::stopped})
    if (name(end) == lower(text)) return end;
  return std::nullopt;
}

std::expected<JobFilter, ApiError> read_filter(const Call& call) {
  const WebRequest& request = call.request;
  if (auto error = check_query(request, {"lifecycle", "state", "end", "outcome", "owner", "stuck",
                                         "q", "limit", "cursor"}))
    return std::unexpected{*error};
  const auto page = read_page(request);
  if (!page) return std::unexpected{page.error()};
  JobFilter filter{.lifecycle = std::string{request.query("lifecycle")},
                   .state = std::string{request.query("state")},
                   .owner = call.who.scope(),
                   .before = JobId{page->cursor},
                   .limit = page->limit};
  if (const auto text = request.query("end"); !text.empty()) {
    filter.end = end_named(text);
    if (!filter.end)
      return std::unexpected{wrong_field("end", "open, good, bad or stopped is wanted")};
  }
  if (const auto text = request.query("outcome"); !text.empty()) {
    filter.outcome = outcome_named(lower(text));
    if (!filter.outcome)
      return std::unexpected{wrong_field("outcome", "expected whole, partly or nothing")};
  }
  if (const auto text = request.query("owner"); !text.empty()) {
    const auto owner = read_number(text);
    if (!owner || *owner < 1) return std::unexpected{wrong_field("owner", "a number is wanted")};
    if (filter.owner && filter.owner.value != *owner)
      return std::unexpected{ApiError{403, "not_allowed", "the jobs of others are not yours"}};
    filter.owner = UserId{*owner};
  }
  filter.q = request.query("q");
  if (filter.q.size() > kSearchMax)
    return std::unexpected{ApiError{422,
                                    "too_long",
                                    fmt::format("at most {} bytes are looked for", kSearchMax),
                                    {{"q", "too long"}}}};
  if (const auto text = request.query("stuck"); !text.empty()) {
    if (text != "true" && text != "false")
      return std::unexpected{wrong_field("stuck", "true or false is wanted")};
    if (text == "true") filter.stuck_at = call.now;
  }
  return filter;
}

std::vector<std::string> forms(const ApiParts& parts, const std::vector<Job>& jobs,
                               const Call& call) {
  std::vector<std::string> items;
  items.reserve(jobs.size());
  for (const Job& job : jobs)
    items.push_back(to_json(view_of(parts, job, call.now, call.who.user.id)));
  return items;
}

Viewer viewer_of(const Job& job, const Call& call) {
  return job.owner == call.who.user.id ? Viewer::owner : Viewer::other;
}

std::vector<Item> all_of(const ApiParts& parts, JobId job, std::string_view state) {
  return parts.store.items().list(job, state, 0, kNamedMax);
}

}  // namespace

JobView view_of(const ApiParts& parts, const Job& job, Time now, UserId viewer) {
  return view_of(parts, {job, parts.store.reader().request(job.seen.id).value_or("{}")}, now,
                 viewer);
}

JobView view_of(const ApiParts& parts, const Loaded& loaded, Time now, UserId viewer) {
  const Job& job = loaded.job;
  WhyFacts facts{.job = job, .now = now};
  // A batch that has never moved has no items and no intents.
  if (job.seen.seq > 0 || job.seen.lifecycle != &kBatch) {
    facts.intents = parts.store.intents().open_of(job.seen.id);
    facts.counts = parts.store.items().counts(job.seen.id);
  }
  if (job.worker) facts.worker = parts.store.workers().find(job.worker);
  Why why = explain(facts, parts.settings);
  JobView view{.job = job,
               .viewer = viewer == job.owner ? Viewer::owner : Viewer::other,
               .request = loaded.request,
               .counts = facts.counts,
               .allowed = std::move(why.allowed),
               .lease_until = {},
               .stuck = why.stuck,
               .progress = parts.board.find(job.seen.id)};
  if (facts.worker) view.lease_until = facts.worker->beat_at + job.seen.lifecycle->lease_after;
  return view;
}

std::expected<Job, ApiError> find_job(const ApiParts& parts, const Call& call) {
  const auto id = read_number(call.words.front());
  const auto job = id && *id > 0 ? parts.store.reader().find(JobId{*id}) : std::nullopt;
  const bool is_ours = job && (!call.who.scope() || job->owner == call.who.user.id);
  if (!is_ours) return std::unexpected{ApiError{404, "no_such_job", "there is no such job"}};
  call.touch({.owner = job->owner,
              .job = job->seen.id,
              .detail = fmt::format("job of user {}", job->owner.value)});
  return *job;
}

namespace handle {

ApiReply list_jobs(const ApiParts& parts, const Call& call) {
  const auto filter = read_filter(call);
  if (!filter) return std::unexpected{filter.error()};
  const JobPage page = parts.store.reader().list(*filter);
  return list_reply(forms(parts, page.jobs, call), page.next.value);
}

ApiReply show_job(const ApiParts& parts, const Call& call) {
  const auto job = find_job(parts, call);
  if (!job) return std::unexpected{job.error()};
  return json_reply(200, to_json(view_of(parts, *job, call.now, call.who.user.id)));
}

ApiReply list_items(const ApiParts& parts, const Call& call) {
  const auto job = find_job(parts, call);
  if (!job) return std::unexpected{job.error()};
  if (auto error = check_query(call.request, {"state", "limit", "cursor"}))
    return std::unexpected{*error};
  const auto page = read_page(call.request);
  if (!page) return std::unexpected{page.error()};
  const std::vector<Item> items = parts.store.items().list(
      job->seen.id, call.request.query("state"), page->cursor, page->limit);
  const auto progress = parts.board.find(job->seen.id);
  std::vector<std::string> out;
  for (const Item& item : items) {
    std::optional<ItemProgress> mine;
    if (progress) {
      const auto found = std::ranges::find(progress->items, item.n, &ItemProgress::n);
      if (found != progress->items.end()) mine = *found;
    }
    out.push_back(to_json(item, mine, viewer_of(*job, call)));
  }
  return list_reply(out, items.size() == page->limit ? items.back().n : 0);
}

ApiReply list_events(const ApiParts& parts, const Call& call) {
  const auto job = find_job(parts, call);
  if (!job) return std::unexpected{job.error()};
  if (auto error = check_query(call.request, {"limit", "cursor"})) return std::unexpected{*error};
  const auto page = read_page(call.request);
  if (!page) return std::unexpected{page.error()};
  const std::vector<Event> events =
      parts.store.events().of(job->seen.id, EventId{page->cursor}, page->limit);
  std::vector<std::string> out;
  out.reserve(events.size());
  for (const Event& event : events) out.push_back(to_json(event));
  return list_reply(out, events.size() == page->limit ? events.back().id.value : 0);
}

ApiReply explain_job(const ApiParts& parts, const Call& call) {
  const auto job = find_job(parts, call);
  if (!job) return std::unexpected{job.error()};
  const auto why = explain(parts.store, job->seen.id, call.now, parts.settings);
  if (!why) return std::unexpected{ApiError{404, "no_such_job", "there is no such job"}};
  return json_reply(200, to_json(*why));
}

ApiReply show_result(const ApiParts& parts, const Call& call) {
  const auto job = find_job(parts, call);
  if (!job) return std::unexpected{job.error()};
  const JobId id = job->seen.id;
  return json_reply(200,
                    result_json(*job, parts.store.items().counts(id), all_of(parts, id, "FAILED"),
                                all_of(parts, id, "SKIPPED"), viewer_of(*job, call)));
}

ApiReply list_stuck(const ApiParts& parts, const Call& call) {
  if (auto error = check_query(call.request, {"limit"})) return std::unexpected{*error};
  const auto page = read_page(call.request);
  if (!page) return std::unexpected{page.error()};
  const std::vector<Job> stuck =
      parts.store.reader().stuck(default_stuck_rules(), call.now, page->limit, call.who.scope());
  return list_reply(forms(parts, stuck, call), 0);
}

// Z-5: running jobs that receive no bytes, as opposed to jobs stuck by their lifecycle.
ApiReply list_stalled(const ApiParts& parts, const Call& call) {
  if (auto error = check_query(call.request, {"limit"})) return std::unexpected{*error};
  const auto limit = read_limit(call.request);
  if (!limit) return std::unexpected{limit.error()};
  std::vector<Job> jobs;
  for (const JobId id : parts.board.still(parts.clock.steady() - kStalledAfter, call.who.scope())) {
    if (jobs.size() == *limit) break;
    if (const auto job = parts.store.reader().find(id); job && job->state().is_open())
      jobs.push_back(*job);
  }
  return list_reply(forms(parts, jobs, call), 0);
}

}  // namespace handle
}  // namespace haul

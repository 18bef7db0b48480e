// Handlers that read jobs.

#include <fmt/core.h>

#include <algorithm>
#include <span>
#include <utility>

#include "api/handlers/handlers.h"
#include "api/handlers/job_filter.h"
#include "api/handlers/job_view.h"
#include "api/handlers/read_request.h"
#include "api/json/job_csv.h"
#include "api/json/why_json.h"
#include "api/live/live_facts.h"
#include "flow/user/why.h"
#include "lifecycle/tables.h"

namespace haul::api {
namespace {

constexpr std::size_t kNamedMax = 1'000;  // Files that a result names, at most.
constexpr Millis kStalledAfter{std::chrono::minutes{5}};

// The form that the client wants the list in. CSV has no place for `next`: a header has it.
std::expected<bool, ApiError> wants_csv(const WebRequest& request) {
  const std::string_view format = request.query("format");
  if (format.empty()) return request.header("accept").starts_with("text/csv");
  if (format != "csv" && format != "json")
    return std::unexpected{wrong_field("format", "expected json or csv")};
  return format == "csv";
}

WebReply csv_reply(const std::vector<JobView>& views, const std::string& next) {
  WebReply reply = text_reply(to_csv(views), "text/csv; charset=utf-8");
  if (!next.empty()) reply.headers.emplace_back("X-Next-Cursor", next);
  return reply;
}

std::vector<std::string> forms(const ApiParts& parts, std::vector<Job> jobs, const Call& call) {
  std::vector<std::string> items;
  items.reserve(jobs.size());
  for (const JobView& view : views_of(parts, std::move(jobs), call.now, call.who.user.id))
    items.push_back(to_json(view));
  return items;
}

// The first open ones of these jobs.
std::vector<Job> open_among(Store& store, std::span<const JobId> ids, std::size_t limit) {
  std::vector<Job> open;
  while (!ids.empty() && open.size() < limit) {
    const std::size_t some = std::min(ids.size(), kPageMax);
    for (std::optional<Job>& job : store.reader().find(ids.first(some)))
      if (job && job->state().is_open() && open.size() < limit) open.push_back(*std::move(job));
    ids = ids.subspan(some);
  }
  return open;
}

// A user who sees only their own jobs is not told the numbers of others.
void hide_others(const ApiParts& parts, const Call& call, std::vector<JobId>& holders) {
  if (!call.who.scope() || holders.empty()) return;
  const std::vector<std::optional<Job>> jobs = parts.store.reader().find(holders);
  std::vector<JobId> own;
  for (const std::optional<Job>& job : jobs)
    if (job && job->owner == call.who.scope()) own.push_back(job->version.id);
  holders = std::move(own);
}

bool is_failed(const Lifecycle&, const State& state) { return state.end == End::bad; }

bool is_skipped(const Lifecycle& table, const State& state) {
  return std::ranges::any_of(
      table.moves, [&](const Move& move) { return move.on == On::skip && move.to == state.name; });
}

// The items of a job in the states that `is_wanted` accepts, by number.
std::vector<Item> items_of(const ApiParts& parts, const Job& job,
                           bool (*is_wanted)(const Lifecycle& table, const State& state)) {
  std::vector<Item> found;
  const Lifecycle* table = job.version.lifecycle->items;
  if (!table) return found;
  for (const State& state : table->states)
    if (is_wanted(*table, state))
      for (Item& item : parts.store.items().list(job.version.id, state.name, 0, kNamedMax))
        found.push_back(std::move(item));
  std::ranges::sort(found, {}, &Item::n);
  if (found.size() > kNamedMax) found.resize(kNamedMax);
  return found;
}

}  // namespace

namespace handle {

ApiReply list_jobs(const ApiParts& parts, const Call& call) {
  const auto filter = read_job_filter(parts, call);
  if (!filter) return std::unexpected{filter.error()};
  const auto is_csv = wants_csv(call.request);
  if (!is_csv) return std::unexpected{is_csv.error()};
  JobPage page = parts.store.reader().list(*filter);
  if (auto error = check_category(parts, *filter, page)) return std::unexpected{*error};
  const std::string next = cursor_of(*filter, page);
  if (*is_csv)
    return csv_reply(views_of(parts, std::move(page.jobs), call.now, call.who.user.id), next);
  const std::int64_t searched = page.searched;
  return searched_reply(list_reply(forms(parts, std::move(page.jobs), call), next), searched);
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
  const auto state = read_item_state(job->version.lifecycle->items, call.request.query("state"));
  if (!state) return std::unexpected{state.error()};
  const auto page = read_page(call.request);
  if (!page) return std::unexpected{page.error()};
  const std::vector<Item> items =
      parts.store.items().list(job->version.id, *state, page->cursor, page->limit);
  const auto progress = parts.progress.find(job->version.id);
  std::vector<std::string> out;
  for (const Item& item : items) {
    std::optional<ItemProgress> mine;
    if (progress) {
      const auto found = std::ranges::find(progress->items, item.n, &ItemProgress::n);
      if (found != progress->items.end()) mine = *found;
    }
    const End end = job->version.lifecycle->items->at(item.state).end;
    out.push_back(to_json(item, end, mine, viewer_of(*job, call.who.user.id)));
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
      parts.store.events().of(job->version.id, EventId{page->cursor}, page->limit);
  std::vector<std::string> out;
  out.reserve(events.size());
  for (const Event& event : events) out.push_back(to_json(event));
  return list_reply(out, events.size() == page->limit ? events.back().id.value : 0);
}

ApiReply explain_job(const ApiParts& parts, const Call& call) {
  const auto job = find_job(parts, call);
  if (!job) return std::unexpected{job.error()};
  auto why = flow::explain(parts.store, job->version.id, call.now, parts.settings, parts.work,
                           live_facts(parts.progress, job->version.id, parts.clock.steady(),
                                      speed_at(parts.speed, call.now)));
  if (!why) return std::unexpected{ApiError{404, "no_such_job", "there is no such job"}};
  hide_others(parts, call, why->holders);
  return json_reply(200, to_json(*why));
}

ApiReply show_result(const ApiParts& parts, const Call& call) {
  const auto job = find_job(parts, call);
  if (!job) return std::unexpected{job.error()};
  if (!job->version.lifecycle->items)
    return json_reply(200,
                      asset_result_json(*job, parts.store.catalog().assets_of(job->version.id)));
  return json_reply(200,
                    result_json(*job, parts.store.items().counts(job->version.id),
                                items_of(parts, *job, is_failed), items_of(parts, *job, is_skipped),
                                viewer_of(*job, call.who.user.id)));
}

ApiReply list_stuck(const ApiParts& parts, const Call& call) {
  if (auto error = check_query(call.request, {"limit"})) return std::unexpected{*error};
  const auto page = read_page(call.request);
  if (!page) return std::unexpected{page.error()};
  std::vector<Job> stuck =
      parts.store.reader().stuck(parts.settings.stuck, call.now, page->limit, call.who.scope());
  return list_reply(forms(parts, std::move(stuck), call), 0);
}

// S4-14: what dead letters and other failed jobs failed for.
ApiReply list_reasons(const ApiParts& parts, const Call& call) {
  const WebRequest& request = call.request;
  if (auto error = check_query(request, {"lifecycle", "state"})) return std::unexpected{*error};
  if (auto error = check_lifecycle(request.query("lifecycle"), request.query("state")))
    return std::unexpected{*error};
  const std::vector<ReasonTally> counts =
      parts.store.reader().reasons({.lifecycle = std::string{request.query("lifecycle")},
                                    .state = std::string{request.query("state")},
                                    .owner = call.who.scope()});
  std::vector<std::string> items;
  items.reserve(counts.size());
  for (const ReasonTally& each : counts)
    items.push_back(
        fmt::format(R"({{"reason":{},"count":{}}})", json_quoted(each.reason), each.jobs));
  return list_reply(items, 0);
}

// Z-5: running jobs that receive no bytes, as opposed to jobs stuck by their lifecycle.
ApiReply list_stalled(const ApiParts& parts, const Call& call) {
  if (auto error = check_query(call.request, {"limit"})) return std::unexpected{*error};
  const auto limit = read_limit(call.request);
  if (!limit) return std::unexpected{limit.error()};
  const std::vector<JobId> still =
      parts.progress.still(parts.clock.steady() - kStalledAfter, call.who.scope());
  return list_reply(forms(parts, open_among(parts.store, still, *limit), call), 0);
}

}  // namespace handle
}  // namespace haul::api

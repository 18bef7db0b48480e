// Handlers for health, metrics and statistics.

#include <fmt/core.h>

#include "api/handlers/handlers.h"
#include "api/handlers/read_request.h"
#include "base/json.h"

namespace haul::api {
namespace {

constexpr std::size_t kStuckMax = 1'000;
constexpr Millis kWorkerSilent{60'000};

std::string gauge(const StateCount& each) {
  return fmt::format("haul_jobs{{lifecycle=\"{}\",state=\"{}\"}} {}\n", each.lifecycle->name,
                     each.state, each.jobs);
}

// S1-14: also the states without a stuck job, so that an alert can tell zero from no answer.
std::string stuck_gauges(const ApiParts& parts, Time now) {
  std::string out = fmt::format(
      "# HELP haul_stuck_jobs Jobs in a state for longer than it allows, at most {} of a state.\n"
      "# TYPE haul_stuck_jobs gauge\n",
      kStuckMax);
  for (const StuckRule& rule : parts.settings.stuck)
    out += fmt::format("haul_stuck_jobs{{lifecycle=\"{}\",state=\"{}\"}} {}\n", rule.lifecycle,
                       rule.state, parts.store.reader().stuck({&rule, 1}, now, kStuckMax).size());
  return out;
}

double oldest_wait_s(const ApiParts& parts, Time now) {
  const auto due = parts.store.reader().next_due();
  if (!due || *due >= now) return 0;
  return std::chrono::duration<double>(now - *due).count();
}

std::string to_json(const SpeedNow& speed) {
  return fmt::format(R"({{"bytes_per_second":{},"set_by":"{}","until":{}}})",
                     speed.per_second > 0 ? std::to_string(speed.per_second) : "null",
                     set_by(speed), speed.until ? json_quoted(to_iso(*speed.until)) : "null");
}

}  // namespace

namespace handle {

ApiReply ping(const ApiParts&, const Call&) { return text_reply("pong\n"); }

ApiReply is_live(const ApiParts&, const Call&) { return json_reply(200, R"({"status":"live"})"); }

ApiReply is_ready(const ApiParts& parts, const Call&) {
  parts.store.events().newest();  // Throws if the store does not answer.
  bool takes_work = true;
  std::string troubles;
  // This route needs no key, so details, which name addresses, go only to the log and `haul
  // doctor`.
  for (const auto& [part, trouble] : parts.progress.troubles()) {
    takes_work = takes_work && part != kStorePart;  // Trouble elsewhere stops only some work.
    troubles += fmt::format(R"({}{{"part":{},"code":{}}})", troubles.empty() ? "" : ",",
                            json_quoted(part), json_quoted(trouble.code));
  }
  if (troubles.empty()) return json_reply(200, R"({"status":"ready"})");
  return json_reply(takes_work ? 200 : 503,
                    fmt::format(R"({{"status":"{}","troubles":[{}]}})",
                                takes_work ? "ready" : "not_ready", troubles));
}

ApiReply metrics(const ApiParts& parts, const Call& call) {
  std::string out = "# HELP haul_jobs Jobs by lifecycle and state.\n# TYPE haul_jobs gauge\n";
  for (const StateCount& each : parts.store.reader().tally({})) out += gauge(each);
  out += stuck_gauges(parts, call.now);
  out += fmt::format(
      "# HELP haul_queue_age_seconds How long the oldest due job has been waiting.\n"
      "# TYPE haul_queue_age_seconds gauge\nhaul_queue_age_seconds {}\n"
      "# TYPE haul_listeners gauge\nhaul_listeners {}\n",
      oldest_wait_s(parts, call.now), parts.live.listeners());
  return text_reply(out + parts.meter.text(), "text/plain; version=0.0.4");
}

ApiReply stats(const ApiParts& parts, const Call& call) {
  std::string jobs;
  // Users who may not operate see only the counts of their own jobs.
  for (const StateCount& each : parts.store.reader().tally(call.who.scope()))
    jobs += fmt::format(R"({}{{"lifecycle":"{}","state":"{}","end":"{}","count":{}}})",
                        jobs.empty() ? "" : ",", each.lifecycle->name, each.state,
                        name(each.lifecycle->at(each.state).end), each.jobs);
  const std::vector<Job> stuck =
      parts.store.reader().stuck(parts.settings.stuck, call.now, kStuckMax, call.who.scope());
  const auto workers = parts.store.workers().list(call.now - kWorkerSilent, kPageMax);
  const ShelfCounts shelves = parts.store.catalog().shelves();
  const std::string restored = parts.store.identity().restored_at();
  return json_reply(
      200,
      fmt::format(R"({{"jobs":[{}],"stuck":{},"books":{{"archive":{},"library":{}}},"workers":{},)"
                  R"("version":{},"restored_at":{},"speed_limit":{}}})",
                  jobs, stuck.size(), shelves.archive, shelves.library, workers.size(),
                  json_quoted(parts.version), restored.empty() ? "null" : json_quoted(restored),
                  to_json(speed_at(parts.speed, call.now))));
}

ApiReply list_workers(const ApiParts& parts, const Call& call) {
  std::vector<std::string> items;
  for (const WorkerRow& row : parts.store.workers().list(call.now - kWorkerSilent, kPageMax))
    items.push_back(fmt::format(
        R"({{"id":{},"name":{},"beat":{},"started_at":"{}","beat_at":"{}"}})", row.id.value,
        json_quoted(row.name), row.beat, to_iso(row.started_at), to_iso(row.beat_at)));
  return list_reply(items, 0);
}

}  // namespace handle
}  // namespace haul::api

// Handlers about haul as a whole: health, metrics, statistics, lifecycles, events, the page.

#include <fmt/core.h>

#include <algorithm>

#include "api/handlers/ask.h"
#include "api/handlers/handlers.h"
#include "api/json/lifecycle_json.h"
#include "api/json/openapi.h"
#include "base/json.h"
#include "flow/request.h"
#include "lifecycle/render.h"
#include "lifecycle/tables.h"

namespace haul {
namespace {

constexpr std::size_t kStuckMax = 1'000;
constexpr Millis kWorkerSilent{60'000};

WebReply text_reply(std::string body, const char* type = "text/plain; charset=utf-8") {
  return {.status = 200,
          .headers = {{"Content-Type", type}, {"Cache-Control", "no-store"}},
          .body = std::move(body),
          .stream = {}};
}

std::string request_form(const Lifecycle& table) {
  std::string out;
  for (const RequestField& field : request_fields(table)) {
    // haul itself makes logins; netrc names a file on the server.
    if (field.name == "logins" || field.name == "netrc") continue;
    std::string values;
    for (const std::string_view value : field.values)
      values += fmt::format("{}{}", values.empty() ? "" : ",", json_quoted(value));
    out +=
        fmt::format(R"({}{{"name":{},"type":{},"required":{},"about":{},"values":[{}]}})",
                    out.empty() ? "" : ",", json_quoted(field.name), json_quoted(name(field.type)),
                    field.required, json_quoted(field.about), values);
  }
  return "[" + out + "]";
}

// The table as `haul lifecycle --json` prints it, and the fields of its request.
std::string form(const Lifecycle& table) {
  const Lifecycle* one = &table;
  std::string json = to_json(std::span{&one, 1});
  json = json.substr(json.find('{'), json.rfind('}') - json.find('{'));
  while (json.ends_with('\n') || json.ends_with(' ')) json.pop_back();
  return json + ",\"request\":" + request_form(table) + "}";
}

std::string gauge(const StateCount& each) {
  return fmt::format("haul_jobs{{lifecycle=\"{}\",state=\"{}\"}} {}\n", each.lifecycle->name,
                     each.state, each.jobs);
}

double oldest_wait_s(const ApiParts& parts, Time now) {
  const auto due = parts.store.reader().next_due();
  if (!due || *due >= now) return 0;
  return std::chrono::duration<double>(now - *due).count();
}

const WebFile* file_named(const ApiParts& parts, std::string_view path) {
  const auto found = std::ranges::find(parts.files, path, &WebFile::path);
  return found == parts.files.end() ? nullptr : &*found;
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
  for (const auto& [part, trouble] : parts.board.troubles()) {
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
  out += fmt::format(
      "# HELP haul_queue_age_seconds How long what is due longest has been waiting.\n"
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
                        name(each.lifecycle->find(each.state)->end), each.jobs);
  const std::vector<Job> stuck =
      parts.store.reader().stuck(default_stuck_rules(), call.now, kStuckMax, call.who.scope());
  const auto workers = parts.store.workers().list(call.now - kWorkerSilent, kPageMax);
  const ShelfCounts shelves = parts.store.catalog().shelves();
  const std::string restored = parts.store.identity().restored_at();
  return json_reply(
      200,
      fmt::format(R"({{"jobs":[{}],"stuck":{},"books":{{"archive":{},"library":{}}},"workers":{},)"
                  R"("version":{},"restored_at":{}}})",
                  jobs, stuck.size(), shelves.archive, shelves.library, workers.size(),
                  json_quoted(parts.version), restored.empty() ? "null" : json_quoted(restored)));
}

ApiReply list_workers(const ApiParts& parts, const Call& call) {
  std::vector<std::string> items;
  for (const WorkerRow& row : parts.store.workers().list(call.now - kWorkerSilent, kPageMax))
    items.push_back(fmt::format(
        R"({{"id":{},"name":{},"beat":{},"started_at":"{}","beat_at":"{}"}})", row.id.value,
        json_quoted(row.name), row.beat, to_iso(row.started_at), to_iso(row.beat_at)));
  return list_reply(items, 0);
}

ApiReply list_lifecycles(const ApiParts&, const Call&) {
  std::vector<std::string> items;
  for (const Lifecycle* table : all_lifecycles()) items.push_back(form(*table));
  return list_reply(items, 0);
}

ApiReply show_lifecycle(const ApiParts&, const Call& call) {
  if (auto error = check_query(call.request, {"format"})) return std::unexpected{*error};
  const Lifecycle* table = find_lifecycle(call.words.front());
  if (!table)
    return std::unexpected{ApiError{404, "no_such_lifecycle", "there is no such lifecycle"}};
  const std::string_view format = call.request.query("format");
  if (format.empty() || format == "json") return json_reply(200, form(*table));
  if (format == "mermaid") return text_reply(to_mermaid(*table));
  if (format == "svg") return text_reply(to_svg(*table), "image/svg+xml");
  return std::unexpected{wrong_field("format", "json, mermaid or svg is wanted")};
}

ApiReply listen(const ApiParts& parts, const Call& call) {
  if (auto error = check_query(call.request, {"job"})) return std::unexpected{*error};
  ListenAsk ask{.after = {}, .job = {}, .owner = call.who.scope(), .by = call.who.by};
  if (const auto text = call.request.query("job"); !text.empty()) {
    const auto job = read_number(text);
    if (!job || *job < 1) return std::unexpected{wrong_field("job", "a number is wanted")};
    ask.job = JobId{*job};
  }
  if (const auto last = call.request.header("last-event-id"); !last.empty())
    ask.after = std::string{last};
  return WebReply{.status = 200,
                  .headers = {{"Content-Type", "text/event-stream"}, {"Cache-Control", "no-store"}},
                  .body = {},
                  .stream = parts.live.listen(ask)};
}

ApiReply openapi(const ApiParts& parts, const Call&) {
  return json_reply(200, openapi_json(parts.version));
}

// A file of the page, or index.html for the address of a view, which the page's own router reads.
ApiReply page(const ApiParts& parts, const Call& call) {
  std::string path;
  for (const std::string& segment : call.request.target.segments)
    path += (path.empty() ? "" : "/") + segment;
  const WebFile* file = file_named(parts, path.empty() ? "index.html" : path);
  const bool is_book = path.starts_with("library/");  // A book's id may have dots.
  const bool is_view = is_book || (path.find('.') == std::string::npos && !path.starts_with("api"));
  if (!file && is_view) file = file_named(parts, "index.html");
  if (!file) return std::unexpected{ApiError{404, "no_such_path", "there is nothing here"}};
  const bool never_changes = path.starts_with("assets/");  // Their names carry their hash.
  return WebReply{.status = 200,
                  .headers = {{"Content-Type", std::string{file->type}},
                              {"Cache-Control",
                               never_changes ? "public, max-age=31536000, immutable" : "no-cache"}},
                  .body = std::string{file->bytes},
                  .stream = {}};
}

}  // namespace handle
}  // namespace haul

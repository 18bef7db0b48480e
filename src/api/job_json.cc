#include "api/job_json.h"

#include <nlohmann/json.hpp>

namespace haul {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kMasked = "***";

Json or_null(const std::optional<Time>& at) { return at ? Json(to_iso(*at)) : Json(nullptr); }
Json or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }
Json or_null(const std::optional<std::int64_t>& number) {
  return number ? Json(*number) : Json(nullptr);
}
Json or_null(const std::optional<std::chrono::seconds>& time) {
  return time ? Json(time->count()) : Json(nullptr);
}
template <class Tag>
Json or_null(Id<Tag> id) {
  return id ? Json(id.value) : Json(nullptr);
}

// Text of strangers may be anything; what is not UTF-8 is replaced rather than refused.
std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Kept as JSON where it is; else as text.
Json parsed(const std::string& text) {
  if (text.empty()) return nullptr;
  Json json = Json::parse(text, nullptr, false);
  return json.is_discarded() ? Json(text) : json;
}

std::string masked_header(const std::string& header) {
  return header.substr(0, header.find(':')) + ": " + kMasked;
}

std::string masked_proxy(const std::string& proxy) {
  const std::size_t at = proxy.rfind('@');
  if (at == std::string::npos) return proxy;
  const std::size_t scheme = proxy.find("://");
  const std::size_t begin = scheme == std::string::npos ? 0 : scheme + 3;
  return proxy.substr(0, begin) + kMasked + proxy.substr(at);
}

Json masked(Json request) {
  if (!request.is_object()) return request;
  if (request.contains("logins"))
    for (auto& login : request["logins"].items()) login.value() = kMasked;
  if (request.contains("headers") && request["headers"].is_array())
    for (Json& header : request["headers"])
      if (header.is_string()) header = masked_header(header.get<std::string>());
  if (request.contains("proxy") && request["proxy"].is_string())
    request["proxy"] = masked_proxy(request["proxy"].get<std::string>());
  return request;
}

Json form(const ItemProgress& item) {
  return {{"n", item.n},          {"name", item.name},
          {"have", item.have},    {"size", or_null(item.size)},
          {"speed", item.speed},  {"eta", or_null(item.eta)},
          {"status", item.status}};
}

Json form(const JobProgress& progress) {
  return {{"have", progress.have},
          {"size", or_null(progress.size)},
          {"speed", progress.speed},
          {"eta", or_null(progress.eta)}};
}

Json form(const Counts& counts) {
  return {{"total", counts.total},           {"completed", counts.completed()},
          {"downloaded", counts.downloaded}, {"skipped", counts.skipped},
          {"failed", counts.failed},         {"cancelled", counts.cancelled}};
}

bool is_success(const Job& job, const Counts& counts) {
  return job.state().end == End::good && counts.failed == 0;
}

void add_times(Json& json, const Job& job) {
  json["created_at"] = to_iso(job.created_at);
  json["moved_at"] = to_iso(job.moved_at);
  json["started_at"] = or_null(job.started_at);
  json["ended_at"] = or_null(job.ended_at);
  json["missing_since"] = or_null(job.missing_since);
}

Json names(const std::vector<Item>& items) {
  Json list = Json::array();
  for (const Item& item : items) list.push_back(item.path.empty() ? item.url : item.path);
  return list;
}

}  // namespace

std::string to_json(const JobView& view) {
  const Job& job = view.job;
  Json json;
  json["id"] = job.seen.id.value;
  json["lifecycle"] = job.seen.lifecycle->name;
  json["state"] = job.seen.state;
  json["end"] = name(job.state().end);
  json["seq"] = job.seen.seq;
  json["owner"] = job.owner.value;
  json["request"] = masked(parsed(view.request));
  json["engine"] = or_null(job.engine);
  json["handle"] = or_null(job.handle);
  json["attempt"] = job.seen.attempt;
  json["attempts_max"] = job.seen.lifecycle->attempts_max;
  json["due_at"] = or_null(job.due_at);
  json["lease_until"] = or_null(view.lease_until);
  json["worker"] = or_null(job.worker);
  json["reason"] = or_null(job.reason);
  json["detail"] = or_null(job.detail);
  add_times(json, job);
  json["paused"] = job.paused;
  json["stuck"] = view.stuck;
  json["success"] = is_success(job, view.counts);
  json["retry_of"] = or_null(job.retry_of);
  json["allowed"] = view.allowed;
  json["counts"] = form(view.counts);
  json["progress"] = view.progress ? form(*view.progress) : Json(nullptr);
  return dumped(json);
}

std::string to_json(const Item& item, const std::optional<ItemProgress>& progress) {
  Json json;
  json["n"] = item.n;
  json["key"] = item.key;
  json["url"] = item.url;
  json["state"] = item.state;
  json["attempt"] = item.attempt;
  json["have"] = item.have;
  json["size"] = or_null(item.size);
  json["path"] = or_null(item.path);
  json["evidence"] = parsed(item.evidence);
  json["reason"] = or_null(item.reason);
  json["detail"] = or_null(item.detail);
  json["updated_at"] = to_iso(item.updated_at);
  json["progress"] = progress ? form(*progress) : Json(nullptr);
  return dumped(json);
}

std::string to_json(const Event& event) {
  Json json;
  json["id"] = event.id.value;
  json["job"] = event.job.value;
  json["seq"] = event.seq;
  json["type"] = event.type;
  json["at"] = to_iso(event.at);
  json["from"] = or_null(event.from);
  json["to"] = or_null(event.to);
  json["on"] = or_null(event.on);
  json["by"] = or_null(event.by);
  json["worker"] = or_null(event.worker);
  json["reason"] = or_null(event.reason);
  json["data"] = parsed(event.data);
  return dumped(json);
}

std::string to_json(const JobProgress& progress) {
  Json json;
  json["job"] = progress.job.value;
  json.update(form(progress));
  json["items"] = Json::array();
  for (const ItemProgress& item : progress.items) json["items"].push_back(form(item));
  return dumped(json);
}

std::string result_json(const Job& job, const Counts& counts, const std::vector<Item>& failed,
                        const std::vector<Item>& skipped) {
  Json json;
  json["success"] = is_success(job, counts);
  json["total_files"] = counts.total;
  json["completed_files"] = counts.completed();
  json["failed_files"] = names(failed);
  json["skipped_files"] = names(skipped);
  json["error_message"] = or_null(job.detail.empty() ? job.reason : job.detail);
  json["result"] = parsed(job.result);
  return dumped(json);
}

std::string shown_request(const std::string& request) { return dumped(masked(parsed(request))); }

}  // namespace haul

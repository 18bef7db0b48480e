#include "api/json/job_json.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>

#include "api/json/json_object.h"
#include "base/json.h"
#include "base/redact.h"
#include "lifecycle/category.h"
#include "store/outcome.h"

namespace haul::api {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kMasked = "***";

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

// Text from outside may contain any bytes: replace bytes that are not UTF-8 instead of throwing.
std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Valid JSON stays JSON; anything else becomes a string.
Json parsed(const std::string& text) {
  if (text.empty()) return nullptr;
  Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return text;
  return json;
}

std::string masked_header(const std::string& header) {
  if (!header.contains(':')) return kMasked;
  return header.substr(0, header.find(':')) + ": " + kMasked;
}

std::string masked_proxy(const std::string& proxy) {
  const std::size_t at = proxy.rfind('@');
  if (at == std::string::npos) return proxy;
  const std::size_t scheme = proxy.find("://");
  const std::size_t begin = scheme == std::string::npos ? 0 : scheme + 3;
  return proxy.substr(0, begin) + kMasked + proxy.substr(at);
}

void mask(Json& value, Secret secret) {
  switch (secret) {
    case Secret::none:
      return;
    case Secret::whole:
      if (value.is_structured())
        for (Json& each : value) each = kMasked;
      else if (!value.is_null())
        value = kMasked;
      return;
    case Secret::header_value:
      if (!value.is_array()) return;
      for (Json& header : value)
        if (header.is_string()) header = masked_header(header.get<std::string>());
      return;
    case Secret::proxy_login:
      if (value.is_string()) value = masked_proxy(value.get<std::string>());
      return;
  }
}

// Logins are secret, whatever their row says.
Secret secret_of(const RequestField& field) {
  return field.type == FieldType::logins ? Secret::whole : field.secret;
}

void mask(Json& object, std::span<const RequestField> fields) {
  if (!object.is_object()) return;
  for (const RequestField& field : fields) {
    const auto given = object.find(field.name);
    if (given == object.end()) continue;
    mask(*given, field.within);
    mask(*given, secret_of(field));
  }
}

// False for most requests, without parsing them.
bool may_have_secret(const std::string& request, std::span<const RequestField> fields) {
  return std::ranges::any_of(fields, [&](const RequestField& field) {
    if (may_have_secret(request, field.within)) return true;
    return secret_of(field) != Secret::none && request.contains(json_quoted(field.name));
  });
}

// Redacts every string inside.
Json without_tokens(Json json) {
  if (json.is_string()) return redacted(json.get<std::string>());
  if (json.is_structured())
    for (Json& each : json) each = without_tokens(std::move(each));
  return json;
}

std::string seen_by(Viewer viewer, const std::string& address) {
  return viewer == Viewer::owner ? address : redacted(address);
}

// The row has the time of the landing, so the store does not keep it in the receipt again.
Json receipt_of(const Item& item) {
  Json receipt = without_tokens(parsed(item.evidence));
  if (receipt.is_object()) receipt["landed_at"] = to_iso(item.updated_at);
  return receipt;
}

Json form(const ItemProgress& item) {
  return {{"n", item.n},
          {"name", item.name},
          {"have", item.have},
          {"size", or_null(item.size)},
          {"speed", item.speed},
          {"eta", or_null(item.eta)},
          {"status", item.status},
          {"retry_in", or_null(item.retry_in)},
          {"reason", or_null(item.reason)}};
}

// The item that is tried again first, if all that are in progress only wait for that.
const ItemProgress* next_retry(const JobProgress& progress) {
  const bool all_wait = std::ranges::all_of(
      progress.items, [](const ItemProgress& item) { return item.retry_in.has_value(); });
  if (!all_wait || progress.items.empty() || progress.is_resting) return nullptr;
  return &*std::ranges::min_element(progress.items, {}, &ItemProgress::retry_in);
}

Json form(const JobProgress& progress) {
  const ItemProgress* retry = next_retry(progress);
  return {{"have", progress.have},
          {"size", or_null(progress.size)},
          {"speed", progress.speed},
          {"eta", or_null(progress.eta)},
          {"size_least", or_null(progress.size_least)},
          {"eta_least", or_null(progress.eta_least)},
          {"waits_for", or_null(progress.waits_for)},
          {"retry_in", retry ? or_null(retry->retry_in) : Json(nullptr)},
          {"retry_reason", retry ? or_null(retry->reason) : Json(nullptr)},
          {"resting", progress.is_resting}};
}

// S2-10: completed of total, with one decimal; 0 if there are no items.
double percentage(const Counts& counts) {
  if (counts.total == 0) return 0;
  return std::round(1000.0 * static_cast<double>(counts.completed()) /
                    static_cast<double>(counts.total)) /
         10;
}

std::string form_text(const Counts& counts) {
  JsonObject json;
  json.number("total", counts.total);
  json.number("completed", counts.completed());
  json.number("downloaded", counts.downloaded);
  json.number("skipped", counts.skipped);
  json.number("failed", counts.failed);
  json.number("cancelled", counts.cancelled);
  json.number("bytes", counts.bytes);
  json.flag("enumerated", counts.enumerated);
  json.json("percentage", fmt::format("{}", percentage(counts)));
  return json.take();
}

std::string list_of(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ",") + json_quoted(word);
  return "[" + out + "]";
}

std::string form_text(const Purge& purge) {
  JsonObject json;
  json.number("removed", purge.removed);
  json.number("bytes", purge.bytes);
  json.number("gone", purge.gone);
  json.number("kept", purge.kept);
  json.json("reasons", list_of(purge.reasons));
  json.text_or_null("waits_for", purge.detail);
  json.time("asked_at", purge.asked_at);
  json.time_or_null("ended_at", purge.ended_at);
  return json.take();
}

bool is_success(const Job& job, const Counts& counts) {
  return job.state().end == End::good && counts.failed == 0;
}

Json names(const std::vector<Item>& items, Viewer viewer) {
  Json list = Json::array();
  for (const Item& item : items)
    list.push_back(item.path.empty() ? seen_by(viewer, item.url) : item.path);
  return list;
}

}  // namespace

std::string to_json(const JobView& view) {
  const Job& job = view.job;
  JsonObject json;
  json.number("id", job.version.id.value);
  json.text("lifecycle", job.version.lifecycle->name);
  json.text("state", job.version.state);
  json.text("end", name(job.state().end));
  json.number("seq", job.version.seq);
  json.number("owner", job.owner.value);
  json.json("request", shown_request(*job.version.lifecycle, view.request, view.viewer));
  json.text_or_null("category", category_of(job.version.lifecycle->request, view.request));
  json.text_or_null("engine", job.engine);
  json.text_or_null("handle", job.handle);
  json.number("attempt", job.version.attempt);
  json.number("attempts_max", job.version.lifecycle->attempts_max);
  json.number("retries", job.retries);
  json.number("attempts", job.version.attempt + job.retries);  // S1-17, Z-29
  json.time_or_null("due_at", job.due_at);
  json.time_or_null("begins_at", view.begins_at);
  json.time_or_null("lease_until", view.lease_until);
  json.number_or_null("worker", job.worker.value);
  json.text_or_null("reason", job.reason);
  json.text_or_null("detail", job.detail);
  json.time("created_at", job.created_at);
  json.time("moved_at", job.moved_at);
  json.time_or_null("started_at", job.started_at);
  json.time_or_null("ended_at", job.ended_at);
  json.time_or_null("missing_since", job.missing_since);
  json.flag("paused", job.paused);
  json.number("priority", job.priority);
  json.flag("stuck", view.stuck);
  json.flag("success", is_success(job, view.counts));
  const auto outcome = outcome_of(job, view.counts);
  json.text_or_null("outcome", outcome ? name(*outcome) : std::string_view{});
  json.number_or_null("retry_of", job.retry_of.value);
  json.time_or_null("hidden_at", job.hidden_at);
  json.json("deleted_files", view.purge ? form_text(*view.purge) : "null");
  json.json("allowed", list_of(view.allowed));
  json.json("counts", form_text(view.counts));
  json.json("progress", view.progress ? dumped(form(*view.progress)) : "null");
  return json.take();
}

std::string to_json(const Item& item, End end, const std::optional<ItemProgress>& progress,
                    Viewer viewer) {
  Json json;
  json["n"] = item.n;
  json["key"] = seen_by(viewer, item.key);
  json["url"] = seen_by(viewer, item.url);
  json["state"] = item.state;
  json["end"] = name(end);
  json["attempt"] = item.attempt;
  json["have"] = item.have;
  json["size"] = or_null(item.size);
  json["path"] = or_null(item.path);
  json["evidence"] = receipt_of(item);
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
  json["data"] = without_tokens(parsed(event.data));
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

std::string item_progress_json(JobId job, const ItemProgress& item) {
  Json json;
  json["job"] = job.value;
  json["item"] = item.n;
  json["type"] = "ITEM_PROGRESS";
  json["data"] = {{"downloaded_bytes", item.have},
                  {"total_bytes", item.size.value_or(0)},
                  {"file_id", item.key},
                  {"file_path", or_null(item.path)},
                  {"url", item.url},
                  {"speed", item.speed},
                  {"eta", or_null(item.eta)},
                  {"status", item.status}};
  return dumped(json);
}

std::string result_json(const Job& job, const Counts& counts, const std::vector<Item>& failed,
                        const std::vector<Item>& skipped, Viewer viewer) {
  Json json;
  const bool success = is_success(job, counts);
  json["success"] = success;
  json["total_files"] = counts.total;
  json["completed_files"] = counts.completed();
  json["failed_files"] = names(failed, viewer);
  json["skipped_files"] = names(skipped, viewer);
  json["error_message"] =
      success ? Json(nullptr) : or_null(job.detail.empty() ? job.reason : job.detail);
  json["result"] = parsed(job.result);
  return dumped(json);
}

std::string asset_result_json(const Job& job, const std::vector<Asset>& assets) {
  Json json;
  const bool success = job.state().end == End::good;
  json["success"] = success;
  json["assets"] = Json::array();
  for (const Asset& asset : assets) {
    if (asset.status != "available") continue;
    Json one;
    one["id"] = asset.id.value;
    if (!job.result.empty()) {
      const std::string file = fmt::format("/api/v1/assets/{}/file", asset.id.value);
      one.update(Json{{"url", file}, {"thumbnail_url", file + "?size=thumbnail"}});
    }
    one["size"] = or_null(asset.size);
    json["assets"].push_back(std::move(one));
  }
  json["error_message"] =
      success ? Json(nullptr) : or_null(job.detail.empty() ? job.reason : job.detail);
  return dumped(json);
}

// Most requests have no secret and are returned as stored: canonical JSON.
std::string shown_request(const Lifecycle& lifecycle, const std::string& request, Viewer viewer) {
  const bool has_secret = may_have_secret(request, lifecycle.request.fields);
  const bool has_token = viewer == Viewer::other && redacted(request) != request;
  if (!has_secret && !has_token && request.starts_with('{')) return request;
  Json json = parsed(request);
  mask(json, lifecycle.request.fields);
  return dumped(has_token ? without_tokens(std::move(json)) : json);
}

}  // namespace haul::api

#include "api/json/why_json.h"

#include <nlohmann/json.hpp>

namespace haul::api {
namespace {

using Json = nlohmann::ordered_json;

Json time_or_null(const std::optional<Time>& at) { return at ? Json(to_iso(*at)) : Json(nullptr); }
Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

}  // namespace

std::string to_json(const flow::Why& why) {
  Json json;
  json["job"] = why.job.value;
  json["lifecycle"] = why.lifecycle;
  json["state"] = why.state;
  json["since"] = to_iso(why.since);
  json["seen_at"] = time_or_null(why.seen_at);
  json["code"] = why.code;
  json["because"] = why.because;
  json["reason"] = text_or_null(why.reason);
  json["detail"] = text_or_null(why.detail);
  json["next"] = text_or_null(why.next);
  json["next_at"] = time_or_null(why.next_at);
  json["stuck"] = why.stuck;
  json["holders"] = Json::array();
  for (const JobId job : why.holders) json["holders"].push_back(job.value);
  json["allowed"] = why.allowed;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace haul::api

#include "api/json/json_object.h"

#include "base/json.h"

namespace haul::api {

void JsonObject::begin(std::string_view name) {
  out_.append(out_.size() == 1 ? "\"" : ",\"").append(name).append("\":");
}

void JsonObject::number(std::string_view name, std::int64_t value) {
  begin(name);
  out_ += std::to_string(value);
}

void JsonObject::flag(std::string_view name, bool value) { json(name, value ? "true" : "false"); }

void JsonObject::text(std::string_view name, std::string_view value) {
  begin(name);
  out_ += json_quoted(value);
}

void JsonObject::text_or_null(std::string_view name, std::string_view value) {
  if (value.empty()) return json(name, "null");
  text(name, value);
}

void JsonObject::number_or_null(std::string_view name, std::int64_t value) {
  if (value == 0) return json(name, "null");
  number(name, value);
}

void JsonObject::time(std::string_view name, Time value) { text(name, to_iso(value)); }

void JsonObject::time_or_null(std::string_view name, const std::optional<Time>& value) {
  if (!value) return json(name, "null");
  time(name, *value);
}

void JsonObject::json(std::string_view name, std::string_view value) {
  begin(name);
  out_ += value;
}

}  // namespace haul::api

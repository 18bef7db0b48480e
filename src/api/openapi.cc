#include "api/openapi.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "api/routes.h"
#include "base/ascii.h"
#include "flow/request.h"
#include "lifecycle/tables.h"

namespace haul {
namespace {

using Json = nlohmann::ordered_json;

Json request_schema(const Lifecycle& table) {
  Json schema{{"type", "object"}, {"additionalProperties", false}};
  schema["properties"] = Json::object();
  schema["required"] = Json::array();
  for (const RequestField& field : request_fields(table)) {
    Json property;
    if (field.type == "list") {
      property = {{"type", "array"}, {"items", {{"type", "string"}}}};
    } else {
      property["type"] = field.type == "number" ? "integer" : std::string{field.type};
    }
    property["description"] = field.about;
    if (!field.values.empty()) {
      property["enum"] = Json::array();
      for (const std::string_view value : field.values) property["enum"].push_back(value);
    }
    schema["properties"][std::string{field.name}] = property;
    if (field.required) schema["required"].push_back(field.name);
  }
  return schema;
}

Json error_schema() {
  return {{"type", "object"},
          {"required", {"code", "detail", "correlation_id"}},
          {"properties",
           {{"code", {{"type", "string"}}},
            {"detail", {{"type", "string"}}},
            {"fields", {{"type", "object"}, {"additionalProperties", {{"type", "string"}}}}},
            {"state", {{"type", "string"}}},
            {"allowed", {{"type", "array"}, {"items", {{"type", "string"}}}}},
            {"correlation_id", {{"type", "string"}}}}}};
}

Json parameters_of(std::string_view pattern) {
  Json list = Json::array();
  for (std::size_t at = pattern.find('{'); at != std::string_view::npos;
       at = pattern.find('{', at + 1)) {
    const std::string_view word = pattern.substr(at + 1, pattern.find('}', at) - at - 1);
    list.push_back({{"name", word},
                    {"in", "path"},
                    {"required", true},
                    {"schema", {{"type", word == "id" ? "integer" : "string"}}}});
  }
  return list;
}

Json operation_of(const Route& route) {
  Json operation;
  operation["summary"] = route.about;
  operation["x-needs"] = name(route.need);
  if (const Json parameters = parameters_of(route.pattern); !parameters.empty())
    operation["parameters"] = parameters;
  if (route.body_max > 0) {
    operation["requestBody"] = {
        {"content", {{"application/json", {{"schema", {{"type", {"object", "array"}}}}}}}}};
    operation["x-body-max"] = route.body_max;
  }
  operation["responses"] = {
      {"2XX", {{"description", "Done."}}},
      {"default",
       {{"description", "Refused."},
        {"content",
         {{"application/json", {{"schema", {{"$ref", "#/components/schemas/Error"}}}}}}}}}};
  if (route.need == Need::nobody) operation["security"] = Json::array();
  return operation;
}

}  // namespace

std::string openapi_json(std::string_view version) {
  Json json{{"openapi", "3.1.0"}, {"info", {{"title", "haul"}, {"version", version}}}};
  json["security"] = {{{"key", Json::array()}}, {{"bearer", Json::array()}}};
  for (const Route& route : routes())
    json["paths"][std::string{route.pattern}][lower(route.method)] = operation_of(route);
  json["components"]["securitySchemes"] = {
      {"key", {{"type", "apiKey"}, {"in", "header"}, {"name", "X-Api-Key"}}},
      {"bearer", {{"type", "http"}, {"scheme", "bearer"}}}};
  json["components"]["schemas"]["Error"] = error_schema();
  for (const Lifecycle* table : all_lifecycles())
    if (!request_fields(*table).empty())
      json["components"]["schemas"][std::string{table->name} + "_request"] = request_schema(*table);
  return json.dump(2);
}

std::string api_page() {
  std::string page =
      "# The API\n\n"
      "Made by `./dev docs` from the routes; a test compares it. Keys go into `X-Api-Key` or\n"
      "`Authorization: Bearer`. Lists are `{\"items\":[…],\"next\":cursor or null}`, errors\n"
      "`{\"code\",\"detail\",\"fields\"?,\"correlation_id\"}`. The same as OpenAPI 3.1:\n"
      "`/api/v1/openapi.json`.\n\n"
      "| | path | needs | |\n|---|---|---|---|\n";
  for (const Route& route : routes())
    page += fmt::format("| {} | `{}` | {} | {} |\n", route.method, route.pattern, name(route.need),
                        route.about);
  page += "\n## What each lifecycle is asked with\n";
  for (const Lifecycle* table : all_lifecycles()) {
    if (request_fields(*table).empty()) continue;
    page += fmt::format("\n### {}\n| field | type | |\n|---|---|---|\n", table->name);
    for (const RequestField& field : request_fields(*table))
      page += fmt::format("| `{}`{} | {} | {} |\n", field.name, field.required ? ", required" : "",
                          field.type, field.about);
  }
  return page;
}

}  // namespace haul

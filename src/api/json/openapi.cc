#include "api/json/openapi.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "api/routes.h"
#include "base/ascii.h"
#include "lifecycle/request.h"
#include "lifecycle/tables.h"

namespace haul::api {
namespace {

using Json = nlohmann::ordered_json;

Json object_schema(std::span<const RequestField> fields);

Json type_of(const RequestField& field) {
  switch (field.type) {
    case FieldType::list:
      return {{"type", "array"},
              {"items", {{"type", "string"}}},
              {"minItems", field.least},
              {"maxItems", field.most}};
    case FieldType::number:
      return {{"type", "integer"}, {"minimum", field.least}, {"maximum", field.most}};
    case FieldType::id:
      return {{"type", {"string", "integer"}}, {"maxLength", field.most}};
    case FieldType::duration:
      return {{"type", {"string", "integer"}}};
    case FieldType::text:
    case FieldType::lines:
      return {{"type", "string"}, {"minLength", field.least}, {"maxLength", field.most}};
    case FieldType::object:
      return object_schema(field.within);
    case FieldType::logins:
      return {{"type", "object"}, {"additionalProperties", {{"type", "string"}}}};
    case FieldType::flag:
    case FieldType::any:
      return {{"type", name(field.type)}};
  }
  return {};
}

Json object_schema(std::span<const RequestField> fields) {
  Json schema{{"type", "object"}, {"additionalProperties", false}};
  schema["properties"] = Json::object();
  schema["required"] = Json::array();
  for (const RequestField& field : fields) {
    Json property = type_of(field);
    property["description"] = field.about;
    Json& values = field.type == FieldType::list ? property["items"] : property;
    for (const std::string_view value : field.values) values["enum"].push_back(value);
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
  if (route.need == Need::none) operation["security"] = Json::array();
  return operation;
}

void append_rows(std::string& page, std::span<const RequestField> fields,
                 const std::string& prefix) {
  for (const RequestField& field : fields) {
    page += fmt::format("| `{}{}`{} | {} | {} | {} |\n", prefix, field.name,
                        field.required ? ", required" : "", name(field.type), values_of(field),
                        field.about);
    append_rows(page, field.within, fmt::format("{}{}.", prefix, field.name));
  }
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
    if (!table->request.fields.empty())
      json["components"]["schemas"][std::string{table->name} + "_request"] =
          object_schema(table->request.fields);
  return json.dump(2);
}

std::string api_doc() {
  std::string page =
      "# The API\n\n"
      "`./dev docs` writes this page from the routes; a test compares it. Send a key in\n"
      "`X-Api-Key` or `Authorization: Bearer`. Lists are\n"
      "`{\"items\":[…],\"next\":cursor or null}`, errors\n"
      "`{\"code\",\"detail\",\"fields\"?,\"correlation_id\"}`. The same as OpenAPI 3.1:\n"
      "`/api/v1/openapi.json`.\n\n"
      "| | path | needs | |\n|---|---|---|---|\n";
  for (const Route& route : routes())
    page += fmt::format("| {} | `{}` | {} | {} |\n", route.method, route.pattern, name(route.need),
                        route.about);
  page +=
      "\n## Request fields of each lifecycle\n\n"
      "haul refuses an unknown field, a wrong type and a value outside its range. `fields` names\n"
      "the path, such as `request.filters.min_size` or `request.urls[3]`. No string may contain\n"
      "control characters; a `prompt` may contain tabs and newlines.\n";
  for (const Lifecycle* table : all_lifecycles()) {
    if (table->request.fields.empty()) continue;
    page += fmt::format("\n### {}\n| field | type | values | |\n|---|---|---|---|\n", table->name);
    append_rows(page, table->request.fields, "");
  }
  return page;
}

}  // namespace haul::api

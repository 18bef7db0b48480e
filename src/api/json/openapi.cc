#include "api/json/openapi.h"

#include <array>
#include <nlohmann/json.hpp>

#include "api/json/api_schemas.h"
#include "api/json/operations.h"
#include "api/json/schema.h"
#include "api/routes.h"
#include "base/ascii.h"
#include "lifecycle/request.h"
#include "lifecycle/tables.h"

namespace haul::api {
namespace {

using Json = nlohmann::ordered_json;

struct StatusWords {
  std::string_view status;
  std::string_view about;
};
constexpr std::array kDone{
    StatusWords{"200", "Done."},
    StatusWords{"201", "Created. Location has its path."},
    StatusWords{"202", "Accepted; the worker acts next."},
    StatusWords{"204", "Done. No body."},
    StatusWords{"206", "The wanted part."},
    StatusWords{"302", "The file is at Location, which is valid for minutes."},
    StatusWords{"304", "The file has not changed."},
    StatusWords{"503", "The store takes no work now."},
};
constexpr std::array kRefused{
    StatusWords{"400", "The request is malformed. `fields` names what is wrong."},
    StatusWords{"401", "No key or session, or one that is not valid."},
    StatusWords{"403", "The key or session lacks a scope."},
    StatusWords{"404", "Not there, or not the caller's."},
    StatusWords{"409", "The present state does not allow it, or the key is used otherwise."},
    StatusWords{"413", "The body is too large."},
    StatusWords{"415", "The body is not application/json."},
    StatusWords{"416", "The file has no byte in this range."},
    StatusWords{"422", "A rule refuses it."},
    StatusWords{"429", "Too many requests. Retry-After says when to ask again."},
    StatusWords{"default", "Refused."},
};

std::string_view words_for(std::span<const StatusWords> all, std::string_view status) {
  for (const StatusWords& each : all)
    if (each.status == status) return each.about;
  return "Done.";
}

// Calls `each` for every word between the separators.
template <class Each>
void split(std::string_view text, char separator, Each each) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    each(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

Json header(std::string_view about) {
  return {{"description", about}, {"schema", {{"type", "string"}}}};
}

Json content_of(std::string_view types) {
  Json content = Json::object();
  split(types, ',', [&](std::string_view type) {
    const bool is_media = type.contains('/');
    const std::string media{is_media ? type : "application/json"};
    if (type == "text/event-stream")
      content[media]["schema"] = {{"$ref", "#/components/schemas/StreamMessage"}};
    else
      content[media]["schema"] =
          is_media ? Json{{"type", "string"}} : Json::parse(schema_of_type(type));
  });
  return content;
}

Json answer_of(std::string_view status, std::string_view types) {
  Json json{{"description", words_for(kDone, status)}};
  json["headers"]["X-Correlation-Id"] = {{"$ref", "#/components/headers/CorrelationId"}};
  if (status == "201" || status == "302")
    json["headers"]["Location"] = header("The path of what was created, or a link.");
  if (status == "206") json["headers"]["Content-Range"] = header("Which bytes these are.");
  if (types.contains("image/*")) json["headers"]["ETag"] = header("For If-None-Match.");
  if (types.contains("text/csv")) json["headers"]["X-Next-Cursor"] = header("`next` of a CSV.");
  if (!types.empty()) json["content"] = content_of(types);
  return json;
}

Json refusal_of(std::string_view status) {
  Json json{
      {"description", words_for(kRefused, status)},
      {"content", {{"application/json", {{"schema", {{"$ref", "#/components/schemas/Error"}}}}}}}};
  json["headers"]["X-Correlation-Id"] = {{"$ref", "#/components/headers/CorrelationId"}};
  if (status == "401") json["headers"]["WWW-Authenticate"] = header("Bearer");
  if (status == "429" || status == "default")
    json["headers"]["Retry-After"] = header("Seconds; with 429 and 503.");
  return json;
}

void add_path_parameters(std::string_view pattern, Json& list) {
  for (std::size_t at = pattern.find('{'); at != std::string_view::npos;
       at = pattern.find('{', at + 1)) {
    const std::string_view word = pattern.substr(at + 1, pattern.find('}', at) - at - 1);
    const bool is_number = word == "id" && pattern.starts_with("/api/");
    list.push_back({{"name", word},
                    {"in", "path"},
                    {"required", true},
                    {"schema", {{"type", is_number ? "integer" : "string"}}}});
  }
}

void add_parameters(std::string_view members, std::string_view where, Json& list) {
  read_members(members, [&](const Member& member) {
    Json json;
    json["name"] = member.name;
    json["in"] = where;
    json["required"] = where != "query" && member.required;
    if (!member.about.empty()) json["description"] = member.about;
    json["schema"] = Json::parse(schema_of_type(member.type));
    list.push_back(std::move(json));
  });
}

// A body of the type "Import?" may be left out.
std::string_view type_of_body(const Operation& operation) {
  const std::string_view type = operation.body;
  return type.ends_with('?') ? type.substr(0, type.size() - 1) : type;
}

Json body_of(const Operation& operation) {
  const std::string_view type = operation.body.empty() ? "Nothing" : type_of_body(operation);
  return {{"required", !operation.body.empty() && type == operation.body},
          {"content", {{"application/json", {{"schema", Json::parse(schema_of_type(type))}}}}}};
}

Json responses_of(const Route& route, const Operation& operation) {
  Json responses = Json::object();
  split(operation.answers, ' ', [&](std::string_view answer) {
    const std::string_view status = answer.substr(0, 3);
    responses[std::string{status}] = answer_of(status, answer.substr(4));
  });
  const auto refuse = [&](std::string_view status) {
    responses[std::string{status}] = {
        {"$ref", "#/components/responses/refused_" + std::string{status}}};
  };
  if (route.body_max > 0)
    for (const char* status : {"400", "413", "415"}) refuse(status);
  if (!operation.query.empty()) refuse("400");
  if (route.need != Need::none)
    for (const char* status : {"401", "403", "429"}) refuse(status);
  if (route.pattern.contains('{')) refuse("404");
  split(operation.errors, ' ', refuse);
  refuse("default");
  return responses;
}

Json operation_of(const Route& route) {
  Json json;
  const Operation* known = find_operation(route.method, route.pattern);
  const Operation operation = known ? *known : Operation{.answers = "200:"};
  if (known) json["operationId"] = known->id;
  if (known) json["tags"] = {known->tag};
  json["summary"] = route.about;
  json["x-needs"] = name(route.need);
  Json parameters = Json::array();
  add_path_parameters(route.pattern, parameters);
  add_parameters(operation.query, "query", parameters);
  add_parameters(operation.headers, "header", parameters);
  if (!parameters.empty()) json["parameters"] = std::move(parameters);
  if (route.body_max > 0) {
    json["requestBody"] = body_of(operation);
    json["x-body-max"] = route.body_max;
  }
  json["responses"] = responses_of(route, operation);
  if (route.need == Need::none) json["security"] = Json::array();
  return json;
}

// A job to add, one schema per lifecycle, which `lifecycle` tells apart.
void add_new_jobs(Json& schemas) {
  Json any = Json::array();
  Json mapping = Json::object();
  for (const Lifecycle* table : all_lifecycles()) {
    if (table->request.fields.empty()) continue;
    const std::string request = std::string{table->name} + "_request";
    const std::string added = "new_" + std::string{table->name};
    schemas[request] = Json::parse(schema_of_request(table->request.fields));
    Json job = Json::parse(schema_of_members("lifecycle: =" + std::string{table->name} +
                                             "\nrequest: any\n...NewJobTerms"));
    job["additionalProperties"] = false;
    job["properties"]["request"] = {{"$ref", "#/components/schemas/" + request}};
    schemas[added] = std::move(job);
    any.push_back({{"$ref", "#/components/schemas/" + added}});
    mapping[std::string{table->name}] = "#/components/schemas/" + added;
  }
  schemas["NewJob"] = {
      {"oneOf", any},
      {"discriminator", {{"propertyName", "lifecycle"}, {"mapping", std::move(mapping)}}}};
}

Json schemas() {
  Json all;
  for (const NamedSchema& each : api_schemas())
    all[std::string{each.name}] = Json::parse(schema_of_members(each.members));
  // These only lend their members to others.
  for (const char* part : {"NewJobTerms", "Transfer"}) all.erase(part);
  all["StreamMessage"] =
      Json::parse(schema_of_type("MovedMessage|NoteMessage|ResyncMessage|ProgressMessage|"
                                 "ItemProgressMessage|JobProgressMessage"));
  all["StreamMessage"]["description"] =
      "One message of the stream: its event, its id if it has one, and its data, which is JSON.";
  add_new_jobs(all);
  all["Nothing"] = {{"type", "object"}};
  all["Nothing"]["additionalProperties"] = false;
  for (const Operation& operation : operations())  // haul refuses unknown fields of a body.
    if (const auto body = all.find(type_of_body(operation)); body != all.end())
      if (body->contains("properties")) (*body)["additionalProperties"] = false;
  return all;
}

}  // namespace

std::string openapi_json(std::string_view version) {
  Json json;
  json["openapi"] = "3.1.0";
  Json& info_json = json["info"];
  info_json["title"] = "haul";
  info_json["version"] = version;
  info_json["description"] =
      "Durable jobs: haul fetches what a request names and says what became of it. Unknown "
      "fields, query parameters and values out of range are refused. Answers may get more fields.";
  info_json["license"] = {{"name", "Apache-2.0"}, {"identifier", "Apache-2.0"}};
  Json server_json;
  server_json["url"] = "/";
  json["servers"].push_back(std::move(server_json));
  json["security"] = {
      {{"key", Json::array()}}, {{"bearer", Json::array()}}, {{"session", Json::array()}}};
  for (const OperationTag& tag : operation_tags())
    json["tags"].push_back({{"name", tag.name}, {"description", tag.about}});
  for (const Route& route : routes())
    json["paths"][std::string{route.pattern}][lower(route.method)] = operation_of(route);
  Json& components_json = json["components"];
  components_json["securitySchemes"] = {
      {"key", {{"type", "apiKey"}, {"in", "header"}, {"name", "X-Api-Key"}}},
      {"bearer", {{"type", "http"}, {"scheme", "bearer"}}},
      {"session",
       {{"type", "apiKey"},
        {"in", "cookie"},
        {"name", "haul_session"},
        {"description", "Of a login. Requests that change something also send X-Haul: 1."}}}};
  components_json["headers"]["CorrelationId"] =
      header("Names this request in the log: the caller's X-Correlation-Id, or a new one.");
  for (const StatusWords& each : kRefused)
    components_json["responses"]["refused_" + std::string{each.status}] = refusal_of(each.status);
  components_json["schemas"] = schemas();
  return json.dump(2);
}

}  // namespace haul::api

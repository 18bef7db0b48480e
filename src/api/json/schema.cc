#include "api/json/schema.h"

#include <nlohmann/json.hpp>

#include "api/json/api_schemas.h"
#include "base/ascii.h"
#include "base/ensure.h"

namespace haul::api {
namespace {

using Json = nlohmann::ordered_json;

bool is_schema_name(std::string_view word) {
  return !word.empty() && word.front() >= 'A' && word.front() <= 'Z';
}

Json reference_to(std::string_view schema) {
  return {{"$ref", "#/components/schemas/" + std::string{schema}}};
}

Json type(std::string_view text);

// Of a|b, words or schemas.
Json one_of(std::string_view text) {
  const bool are_schemas = is_schema_name(text);
  Json list = Json::array();
  for (bool more = true; more;) {
    const std::size_t end = text.find('|');
    const std::string_view word = text.substr(0, end);
    list.push_back(are_schemas ? reference_to(word) : Json(word));
    more = end != std::string_view::npos;
    if (more) text.remove_prefix(end + 1);
  }
  if (are_schemas) return {{"anyOf", list}};
  return {{"type", "string"}, {"enum", list}};
}

Json or_null(Json schema) {
  if (!schema.contains("type") || schema.contains("enum"))
    return {{"anyOf", {std::move(schema), {{"type", "null"}}}}};
  schema["type"] = {schema["type"], "null"};
  return schema;
}

Json page_of(std::string_view element) {
  return {{"type", "object"},
          {"required", {"items", "next"}},
          {"properties",
           {{"items", {{"type", "array"}, {"items", type(element)}}},
            {"next",
             {{"type", {"string", "null"}},
              {"description", "The cursor of the next page; null on the last one."}}}}}};
}

// "integer 1..100" and "integer 1..".
Json range_of(std::string_view text) {
  const std::string range{text.substr(text.find(' ') + 1)};
  const std::size_t dots = range.find("..");
  Json json{{"type", text.substr(0, text.find(' '))}, {"minimum", std::stoll(range)}};
  if (dots + 2 < range.size()) json["maximum"] = std::stoll(range.substr(dots + 2));
  return json;
}

// Of a type that is one word.
Json plain(std::string_view text) {
  if (text == "any") return Json::object();
  if (text == "time") return {{"type", "string"}, {"format", "date-time"}};
  if (text == "id") return {{"type", {"integer", "string"}}};
  if (is_schema_name(text)) return reference_to(text);
  return {{"type", text}};
}

std::string_view inside(std::string_view text) {
  return text.substr(text.find('<') + 1, text.size() - text.find('<') - 2);
}

Json type(std::string_view text) {
  if (text.ends_with('?')) return or_null(type(text.substr(0, text.size() - 1)));
  if (text.ends_with("[]"))
    return {{"type", "array"}, {"items", type(text.substr(0, text.size() - 2))}};
  if (text.starts_with("map<"))
    return {{"type", "object"}, {"additionalProperties", type(inside(text))}};
  if (text.starts_with("page<")) return page_of(inside(text));
  if (text.starts_with('=')) return {{"type", "string"}, {"const", text.substr(1)}};
  if (text.contains('|')) return one_of(text);
  if (text.contains(' ')) return range_of(text);
  return plain(text);
}

Member member_of(std::string_view line) {
  const std::size_t colon = line.find(": ");
  ensure(colon != std::string_view::npos, "a member of a schema has a name and a type");
  const std::size_t about = line.find(" # ");
  Member member{.name = line.substr(0, colon),
                .type = trimmed(line.substr(
                    colon + 2, about == std::string_view::npos ? about : about - colon - 2)),
                .about = about == std::string_view::npos ? "" : line.substr(about + 3)};
  if (member.name.ends_with('?')) {
    member.required = false;
    member.name.remove_suffix(1);
  }
  return member;
}

Json object_of(std::span<const RequestField> fields);

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
      return object_of(field.within);
    case FieldType::logins:
      return {{"type", "object"}, {"additionalProperties", {{"type", "string"}}}};
    case FieldType::flag:
    case FieldType::any:
      return {{"type", name(field.type)}};
  }
  return {};
}

// A text that may be empty is then unset, so the empty one is one of its values.
void add_values(Json& schema, const RequestField& field) {
  for (const std::string_view value : field.values) schema["enum"].push_back(value);
  if (field.type == FieldType::text && field.least == 0 && !field.values.empty())
    schema["enum"].push_back("");
}

Json object_of(std::span<const RequestField> fields) {
  Json schema{{"type", "object"}, {"additionalProperties", false}};
  schema["properties"] = Json::object();
  schema["required"] = Json::array();
  for (const RequestField& field : fields) {
    Json property = type_of(field);
    property["description"] = field.about;
    add_values(field.type == FieldType::list ? property["items"] : property, field);
    if (!field.initial.empty()) property["default"] = Json::parse(field.initial);
    schema["properties"][std::string{field.name}] = property;
    if (field.required) schema["required"].push_back(field.name);
  }
  return schema;
}

}  // namespace

void read_members(std::string_view members, const std::function<void(const Member&)>& each) {
  while (!members.empty()) {
    const std::string_view line = trimmed(members.substr(0, members.find('\n')));
    members.remove_prefix(std::min(members.find('\n'), members.size() - 1) + 1);
    if (line.empty()) continue;
    if (line.starts_with("..."))
      read_members(members_of_schema(line.substr(3)), each);
    else
      each(member_of(line));
  }
}

std::string schema_of_type(std::string_view text) { return type(text).dump(); }

std::string schema_of_members(std::string_view members) {
  Json schema{{"type", "object"}, {"required", Json::array()}, {"properties", Json::object()}};
  read_members(members, [&](const Member& member) {
    Json property = type(member.type);
    if (!member.about.empty()) property["description"] = member.about;
    schema["properties"][std::string{member.name}] = std::move(property);
    if (member.required) schema["required"].push_back(member.name);
  });
  if (schema["required"].empty()) schema.erase("required");
  return schema.dump();
}

std::string schema_of_request(std::span<const RequestField> fields) {
  return object_of(fields).dump();
}

}  // namespace haul::api

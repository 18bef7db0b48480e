#include "api/json/lifecycle_json.h"

#include <nlohmann/json.hpp>

#include "lifecycle/render.h"

namespace haul::api {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kLongText = 4'096;  // Bytes. Texts that may have more are mostly URLs.

Json to_json(const Answer& answer) {
  if (answer.kind == AnswerKind::open) return nullptr;
  return to_text(answer);
}

template <class Words>
Json names_of(const Words& words) {
  Json list = Json::array();
  for (const auto word : words) list.push_back(name(word));
  return list;
}

Json to_json(const State& state, std::chrono::seconds stuck) {
  Json json;
  json["name"] = state.name;
  json["end"] = name(state.end);
  json["step"] = name(state.step);
  json["leased"] = state.is_leased();
  json["stuck_after_s"] = nullptr;
  if (stuck.count() > 0) json["stuck_after_s"] = stuck.count();
  json["on_fault"] = to_json(state.on_fault);
  json["on_fail"] = to_json(state.on_fail);
  json["on_lost"] = to_json(state.on_lost);
  json["on_cancel"] = to_json(state.on_cancel);
  return json;
}

Json to_json(std::string_view from, const Move& move) {
  Json json;
  json["from"] = from;
  json["on"] = name(move.on);
  json["by"] = name(move.by);
  json["to"] = move.to;
  json["guards"] = names_of(move.terms.guards);
  json["needs"] = nullptr;
  if (move.terms.needs != Proof::none) json["needs"] = name(move.terms.needs);
  json["effects"] = names_of(move.terms.effects);
  json["bound"] = nullptr;
  if (move.terms.bound != Bound::none) json["bound"] = name(move.terms.bound);
  json["origin"] = move.origin;
  return json;
}

Json to_json(const RequestField& field, std::span<const Category> categories);

Json to_json(std::span<const RequestField> fields, const std::vector<Category>* categories) {
  Json list = Json::array();
  for (const RequestField& field : fields) {
    const bool is_category = field.use == FieldUse::category;
    if (!field.in_forms || (is_category && categories && categories->empty())) continue;
    const bool has_choice = is_category && categories;
    list.push_back(
        to_json(field, has_choice ? std::span{*categories} : std::span<const Category>{}));
  }
  return list;
}

// `categories` are the field's values, if it names one.
Json to_json(const RequestField& field, std::span<const Category> categories) {
  Json json;
  json["name"] = field.name;
  json["type"] = name(field.type);
  json["required"] = field.required;
  json["about"] = field.about;
  json["values"] = Json::array();
  json["labels"] = Json::array();
  for (const std::string_view value : field.values) json["values"].push_back(value);
  for (const Category& each : categories) {
    json["values"].push_back(each.name);
    json["labels"].push_back(each.label.empty() ? each.name : each.label);
  }
  json["expects"] = values_of(field);
  json["lines"] = field.type == FieldType::lines;
  json["long"] = field.type == FieldType::text && field.values.empty() && field.most > kLongText;
  json["fields"] = to_json(field.within, nullptr);
  return json;
}

Json to_json(const Lifecycle& table, std::span<const StuckRule> stuck,
             const std::vector<Category>* categories) {
  Json json;
  json["name"] = table.name;
  json["states"] = Json::array();
  for (const State& state : table.states)
    json["states"].push_back(to_json(state, stuck_after(stuck, table.name, state.name)));
  json["moves"] = Json::array();
  for (const Move& move : table.moves)
    for (const std::string_view from : move.from) json["moves"].push_back(to_json(from, move));
  json["request"] = to_json(table.request.fields, categories);
  return json;
}

}  // namespace

std::string to_json(std::span<const Lifecycle* const> tables, std::span<const StuckRule> stuck,
                    const std::vector<Category>* categories) {
  Json list = Json::array();
  for (const Lifecycle* table : tables) list.push_back(to_json(*table, stuck, categories));
  return list.dump(2);
}

}  // namespace haul::api

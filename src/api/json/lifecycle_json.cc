#include "api/json/lifecycle_json.h"

#include <nlohmann/json.hpp>

#include "lifecycle/render.h"

namespace haul::api {
namespace {

using Json = nlohmann::ordered_json;

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

Json to_json(const Lifecycle& table, std::span<const StuckRule> stuck) {
  Json json;
  json["name"] = table.name;
  json["states"] = Json::array();
  for (const State& state : table.states)
    json["states"].push_back(to_json(state, stuck_after(stuck, table.name, state.name)));
  json["moves"] = Json::array();
  for (const Move& move : table.moves)
    for (const std::string_view from : move.from) json["moves"].push_back(to_json(from, move));
  return json;
}

}  // namespace

std::string to_json(std::span<const Lifecycle* const> tables, std::span<const StuckRule> stuck) {
  Json list = Json::array();
  for (const Lifecycle* table : tables) list.push_back(to_json(*table, stuck));
  return list.dump(2);
}

}  // namespace haul::api

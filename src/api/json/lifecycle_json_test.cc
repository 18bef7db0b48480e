#include "api/json/lifecycle_json.h"

#include <doctest/doctest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "lifecycle/tables.h"

namespace haul::api {
namespace {

using Json = nlohmann::ordered_json;  // Keeps the order of keys, so that tests can check it.

Json all() { return Json::parse(to_json(all_lifecycles())); }

std::string keys_of(const Json& object) {
  std::string text;
  for (const auto& [key, value] : object.items()) text += (text.empty() ? "" : " ") + key;
  return text;
}

// The one element of a list whose fields have these values.
Json pick(const Json& list, const std::map<std::string, std::string>& wanted) {
  std::vector<Json> found;
  for (const Json& each : list) {
    bool fits = true;
    for (const auto& [key, value] : wanted) fits = fits && each.at(key) == value;
    if (fits) found.push_back(each);
  }
  REQUIRE(found.size() == 1);
  return found.front();
}

Json lifecycle(const std::string& name) { return pick(all(), {{"name", name}}); }

TEST_CASE("the six lifecycles come in the order of their documents") {
  std::string names;
  for (const Json& table : all()) names += table.at("name").get<std::string>() + " ";

  CHECK(names == "book media batch item relay image ");
}

TEST_CASE("a list of some lifecycles holds those, and an empty list none") {
  const Lifecycle* some[] = {&kRelay, &kBook};

  const Json two = Json::parse(to_json(some));

  REQUIRE(two.size() == 2);
  CHECK(two.at(0).at("name") == "relay");
  CHECK(two.at(1).at("name") == "book");
  CHECK(to_json(std::span<const Lifecycle* const>{}) == "[]");
}

TEST_CASE("every object has exactly its keys, in one order") {
  for (const Json& table : all()) {
    CHECK(keys_of(table) == "name states moves request");
    for (const Json& state : table.at("states"))
      CHECK(keys_of(state) ==
            "name end step leased stuck_after_s on_fault on_fail on_lost on_cancel");
    for (const Json& move : table.at("moves"))
      CHECK(keys_of(move) == "from on by to guards needs effects bound origin");
  }
}

TEST_CASE("a field is of one kind everywhere, and absence is null") {
  const auto text_or_null = [](const Json& value) { return value.is_null() || value.is_string(); };
  for (const Json& table : all()) {
    for (const Json& state : table.at("states")) {
      for (const char* key : {"name", "end", "step"}) CHECK(state.at(key).is_string());
      CHECK(state.at("leased").is_boolean());
      const Json& stuck = state.at("stuck_after_s");
      CHECK((stuck.is_null() || stuck.is_number_unsigned()));
      for (const char* key : {"on_fault", "on_fail", "on_lost", "on_cancel"})
        CHECK((state.at("end") == "open" ? state.at(key).is_string() : state.at(key).is_null()));
    }
    for (const Json& move : table.at("moves")) {
      for (const char* key : {"from", "on", "by", "to", "origin"}) CHECK(move.at(key).is_string());
      for (const char* key : {"guards", "effects"}) CHECK(move.at(key).is_array());
      for (const char* key : {"needs", "bound"}) CHECK(text_or_null(move.at(key)));
    }
  }
}

TEST_CASE("a move has one start: a row that starts in many states is one object for each") {
  std::string sizes;
  for (const Json& table : all()) {
    std::set<std::string> distinct;
    for (const Json& move : table.at("moves"))
      distinct.insert(move.at("from").get<std::string>() + " " + move.at("on").get<std::string>() +
                      " " + move.at("to").get<std::string>());
    CHECK(distinct.size() == table.at("moves").size());
    sizes += table.at("name").get<std::string>() + " " + std::to_string(distinct.size()) + "\n";
  }

  CHECK(sizes == "book 6\nmedia 14\nbatch 7\nitem 8\nrelay 17\nimage 8\n");
}

TEST_CASE("every move names states that its lifecycle has") {
  for (const Json& table : all()) {
    std::set<std::string> names;
    for (const Json& state : table.at("states")) names.insert(state.at("name"));
    for (const Json& move : table.at("moves")) {
      CHECK(names.contains(move.at("from").get<std::string>()));
      CHECK(names.contains(move.at("to").get<std::string>()));
    }
  }
}

TEST_CASE("S1-13: media is stuck after 1 h, 24 h, 1 h and 24 h, its ends never; images after 1 h") {
  std::string stuck;
  for (const Json& table : all())
    for (const Json& state : table.at("states"))
      if (table.at("name") == "media" || !state.at("stuck_after_s").is_null())
        stuck +=
            state.at("name").get<std::string>() + " " + state.at("stuck_after_s").dump() + "\n";

  CHECK(stuck ==
        "queued 3600\ndownloading 86400\ncompleted 3600\nimported 86400\ncleaned null\n"
        "failed null\nrunning 3600\n");
}

TEST_CASE("S1-13: the thresholds that a table shows are those that are configured") {
  const Lifecycle* const media = &kMedia;
  const std::vector<StuckRule> rules{{"media", "imported", std::chrono::seconds{90}}};
  const Json tables = Json::parse(to_json({&media, 1}, rules));
  std::string stuck;
  for (const Json& state : tables.at(0).at("states"))
    stuck += state.at("stuck_after_s").dump() + " ";

  CHECK(stuck == "null null null 90 null null ");
}

TEST_CASE("a state shows its end, step, lease and four answers; an ended one answers nothing") {
  const Json states = lifecycle("batch").at("states");

  CHECK(pick(states, {{"name", "RUNNING"}}) == Json::parse(R"({
      "name": "RUNNING", "end": "open", "step": "transfer", "leased": true,
      "stuck_after_s": null, "on_fault": "stay", "on_fail": "FAILED", "on_lost": "PENDING",
      "on_cancel": "CANCELLED"})"));
  CHECK(pick(states, {{"name", "CANCELLED"}}) == Json::parse(R"({
      "name": "CANCELLED", "end": "stopped", "step": "none", "leased": false,
      "stuck_after_s": null, "on_fault": null, "on_fail": null, "on_lost": null,
      "on_cancel": null})"));
}

TEST_CASE("Z-20: a move shows its guards, proof, effects and bound, and where it comes from") {
  const Json moves = lifecycle("relay").at("moves");

  CHECK(pick(moves, {{"from", "STREAMING"}, {"on", "requeue"}}) == Json::parse(R"({
      "from": "STREAMING", "on": "requeue", "by": "worker", "to": "QUEUED",
      "guards": ["retryable", "attempt_left"], "needs": null, "effects": ["count_attempt"],
      "bound": "attempt", "origin": "003 §2, A3-4"})"));
  CHECK(pick(moves, {{"on", "ack"}}) == Json::parse(R"({
      "from": "STREAMING", "on": "ack", "by": "worker", "to": "DELIVERED", "guards": [],
      "needs": "ack", "effects": ["record_delivery"], "bound": null, "origin": "003 §1, S3-13"})"));
}

}  // namespace
}  // namespace haul::api

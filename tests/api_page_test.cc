// The API's own description, and docs/api.md, which is generated from it.

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <set>

#include "api/json/api_schemas.h"
#include "api/json/openapi.h"
#include "api/json/operations.h"
#include "api/json/schema.h"
#include "api/routes.h"
#include "base/ascii.h"
#include "base/json.h"
#include "cli/api_examples.h"
#include "support/api/api_bench.h"

namespace haul {
namespace {

std::string value_of(std::string_view json, std::string_view name) {
  const auto fields = read_object(json);
  REQUIRE(fields);
  for (const JsonField& field : *fields)
    if (field.name == name) return field.json;
  return {};
}

TEST_CASE("docs/api.md is what haul api prints; ./dev docs mends it") {
  std::ifstream file{HAUL_SOURCE_DIR "/docs/api.md", std::ios::binary};
  CHECK(api::api_doc() + cli::api_examples() ==
        std::string{std::istreambuf_iterator<char>{file}, {}});
}

TEST_CASE("the OpenAPI document has every route, and no other") {
  const std::string paths = value_of(api::openapi_json("1"), "paths");
  std::size_t described = 0;
  const auto all = read_object(paths);
  REQUIRE(all);
  for (const JsonField& path : *all) described += read_object(path.json)->size();
  CHECK(described == api::routes().size());
  for (const api::Route& route : api::routes()) {
    const std::string operation = value_of(value_of(paths, route.pattern), lower(route.method));
    CHECK_MESSAGE(operation.find(name(route.need)) != std::string::npos, route.pattern);
  }
}

TEST_CASE("every route says what it takes and answers, and nothing else does") {
  std::set<std::string_view> ids;
  for (const api::Route& route : api::routes()) {
    const api::Operation* operation = api::find_operation(route.method, route.pattern);
    REQUIRE_MESSAGE(operation, route.method << " " << route.pattern
                                            << " needs a row in api/json/operations.cc");
    CHECK_MESSAGE(ids.insert(operation->id).second, operation->id << " twice");
    CHECK_MESSAGE((operation->body.empty() || route.body_max > 0), route.pattern);
  }
  CHECK(api::operations().size() == api::routes().size());
}

TEST_CASE("every reference of the OpenAPI document leads to a component, and all are used") {
  const std::string document = api::openapi_json("1");
  const std::string components = value_of(document, "components");
  std::set<std::string> known;
  const auto kinds = read_object(components);
  REQUIRE(kinds);
  for (const JsonField& kind : *kinds) {
    if (kind.name == "securitySchemes") continue;
    const auto parts = read_object(kind.json);
    REQUIRE(parts);
    for (const JsonField& part : *parts)
      known.insert("#/components/" + kind.name + "/" + part.name);
  }
  std::set<std::string> used;
  for (std::size_t at = document.find("\"#/components/"); at != std::string::npos;
       at = document.find("\"#/components/", at + 1))
    used.insert(document.substr(at + 1, document.find('"', at + 1) - at - 1));
  CHECK(used == known);
}

// With its own lists of names, each handler refuses other query fields.
TEST_CASE("a route takes the query fields of its description, and no other") {
  testing::ApiBench b;
  for (const api::Operation& operation : api::operations()) {
    if (operation.query.empty()) continue;
    const std::string method{operation.route.substr(0, operation.route.find(' '))};
    std::string target{operation.route.substr(operation.route.find(' ') + 1)};
    for (std::size_t at = target.find('{'); at != std::string::npos; at = target.find('{')) {
      const std::string word = target.substr(at, target.find('}') - at + 1);
      target.replace(at, word.size(), word == "{name}" ? "batch" : word == "{book}" ? "b" : "1");
    }
    b.add_for("boss");
    api::read_members(operation.query, [&](const api::Member& member) {
      const std::string query = "?" + std::string{member.name} + "=1";
      const std::string body = b.as("boss", method, target + query).body;
      CHECK_MESSAGE(!body.contains("unknown_field"), target << " " << member.name);
    });
    const WebReply other = b.as("boss", method, target + "?zzz=1");
    CHECK_MESSAGE((other.body.contains("unknown_field") || other.status == 404), target);
  }
}

TEST_CASE("what is asked with a path finds its own route, not one that stands before it") {
  for (const api::Route& route : api::routes()) {
    std::string target{route.pattern};
    for (std::size_t at = target.find('{'); at != std::string::npos; at = target.find('{'))
      target.replace(at, target.find('}') - at + 1, "7");
    const api::Found found = api::find_route(route.method, parse_target(target).value());
    REQUIRE(found.route);
    CHECK(found.route->pattern == route.pattern);
    CHECK(api::body_max(route.method, target) == route.body_max);
  }
}

}  // namespace
}  // namespace haul

// The API's own description, and docs/api.md, which is generated from it.

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>

#include "api/json/openapi.h"
#include "api/routes.h"
#include "base/ascii.h"
#include "base/json.h"

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
  CHECK(api::api_doc() == std::string{std::istreambuf_iterator<char>{file}, {}});
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

#include "api/json/schema.h"

#include <doctest/doctest.h>

#include "lifecycle/tables.h"

namespace haul::api {
namespace {

TEST_CASE("a type in short notation is a JSON Schema") {
  CHECK(schema_of_type("integer") == R"({"type":"integer"})");
  CHECK(schema_of_type("integer 1..100") == R"({"type":"integer","minimum":1,"maximum":100})");
  CHECK(schema_of_type("integer 1..") == R"({"type":"integer","minimum":1})");
  CHECK(schema_of_type("time?") == R"({"type":["string","null"],"format":"date-time"})");
  CHECK(schema_of_type("string[]") == R"({"type":"array","items":{"type":"string"}})");
  CHECK(schema_of_type("map<string>") ==
        R"({"type":"object","additionalProperties":{"type":"string"}})");
  CHECK(schema_of_type("open|good") == R"({"type":"string","enum":["open","good"]})");
  CHECK(schema_of_type("=moved") == R"({"type":"string","const":"moved"})");
  CHECK(schema_of_type("any") == "{}");
  CHECK(schema_of_type("Job?") ==
        R"({"anyOf":[{"$ref":"#/components/schemas/Job"},{"type":"null"}]})");
  CHECK(schema_of_type("Job|Item") ==
        R"({"anyOf":[{"$ref":"#/components/schemas/Job"},{"$ref":"#/components/schemas/Item"}]})");
  CHECK(schema_of_type("page<Job>").contains(R"("required":["items","next"])"));
}

TEST_CASE("members are required unless their name ends with a question mark") {
  CHECK(schema_of_members("a: string # First.\n b?: integer\n") ==
        R"({"type":"object","required":["a"],"properties":{"a":{"type":"string",)"
        R"("description":"First."},"b":{"type":"integer"}}})");
  CHECK(schema_of_members("b?: integer") ==
        R"({"type":"object","properties":{"b":{"type":"integer"}}})");
}

TEST_CASE("a schema takes over the members of another") {
  CHECK(schema_of_members("...Reason\nc: any") ==
        R"({"type":"object","required":["reason","count","c"],"properties":)"
        R"({"reason":{"type":"string"},"count":{"type":"integer"},"c":{}}})");
}

TEST_CASE("the schema of a request has the ranges and the values of its table") {
  constexpr RequestField kFields[] = {
      {"size", FieldType::number, "Its size", true, 1, 9},
      RequestField{"way", FieldType::text, "Its way", false, 0, 20, {"on", "off"}}.beginning_as(
          R"("on")")};
  CHECK(schema_of_request(kFields) ==
        R"({"type":"object","additionalProperties":false,"properties":{"size":{"type":"integer",)"
        R"("minimum":1,"maximum":9,"description":"Its size"},"way":{"type":"string","minLength":0,)"
        R"("maxLength":20,"description":"Its way","enum":["on","off",""],"default":"on"}},)"
        R"("required":["size"]})");
}

}  // namespace
}  // namespace haul::api

#include "engine/http/existing.h"

#include <doctest/doctest.h>

namespace haul::http {
namespace {

Receipt receipt(const std::string& members) {
  return {"/x/a", 100, R"({"kind":"size","size":100)" + members + "}"};
}

Reply reply(Given given, std::optional<std::int64_t> size = 100) {
  return {.meaning = Meaning::whole, .version = {.size = size}, .given = std::move(given)};
}

}  // namespace

TEST_CASE("Z-24: a file is what the server has if the validators of both agree") {
  const Receipt tagged = receipt(R"(,"etag":"\"1\"","last_modified":"then")");
  CHECK(judge_look(tagged, reply({"\"1\"", "then"})) == LookStep::here);
  CHECK(judge_look(tagged, reply({"W/\"1\"", "later"})) == LookStep::here);
  CHECK(judge_look(tagged, reply({"\"2\"", "then"})) == LookStep::fetch);

  const Receipt dated = receipt(R"(,"last_modified":"then")");
  CHECK(judge_look(dated, reply({"\"1\"", "then"})) == LookStep::here);
  CHECK(judge_look(dated, reply({"\"1\"", "later"})) == LookStep::fetch);
  CHECK(judge_look(dated, reply({"", "then"}, 99)) == LookStep::fetch);

  CHECK(judge_look(receipt(""), reply({}, 100)) == LookStep::here);
  CHECK(judge_look(receipt(""), reply({}, 101)) == LookStep::fetch);
  CHECK(judge_look(receipt(""), reply({}, std::nullopt)) == LookStep::here);
  CHECK(judge_look(receipt(R"(,"decoded":true)"), reply({}, 40)) == LookStep::here);
}

TEST_CASE("Z-24: a length of 0 is no change, and an update asks if nothing tells versions apart") {
  constexpr auto kUpdate = engine::IfExists::update;
  CHECK(judge_look(receipt(""), reply({}, 0)) == LookStep::here);
  CHECK(judge_look(receipt(R"(,"last_modified":"then")"), reply({"", "later"}, 0)) ==
        LookStep::fetch);
  CHECK(judge_look(receipt(""), reply({}, 100), kUpdate) == LookStep::fetch);
  CHECK(judge_look(receipt(R"(,"etag":"\"1\"")"), reply({"\"1\"", ""}, 0), kUpdate) ==
        LookStep::here);
}

TEST_CASE("Z-24: validators count only if two answers in a row agree on them") {
  CHECK(agreed({"\"1\"", "then"}, {"W/\"1\"", "then"}) == Given{"W/\"1\"", "then"});
  CHECK(agreed({"\"1\"", "then"}, {"\"2\"", "then"}) == Given{"", "then"});
  CHECK(agreed({"\"1\"", "then"}, {"\"1\"", "later"}) == Given{"\"1\"", ""});
  CHECK(agreed({"", ""}, {"\"1\"", "then"}) == Given{"\"1\"", "then"});  // HEAD had none.
}

TEST_CASE("Z-24: a refused question says nothing about the file; a failed one is asked again") {
  const auto failed = [](FaultKind kind, const char* code = "x",
                         engine::IfExists existing = engine::IfExists::normal) {
    return judge_look(receipt(""), {.meaning = Meaning::fault, .fault = {kind, code, ""}},
                      existing);
  };

  CHECK(failed(FaultKind::permanent) == LookStep::here);
  CHECK(failed(FaultKind::retryable) == LookStep::fail);
  CHECK(failed(FaultKind::retryable, "http_500") == LookStep::here);
  CHECK(failed(FaultKind::retryable, "http_503") == LookStep::fail);
  CHECK(failed(FaultKind::permanent, "http_405", engine::IfExists::update) == LookStep::fetch);
  CHECK(judge_look(receipt(""), {.meaning = Meaning::moved}) == LookStep::hop);
}

}  // namespace haul::http

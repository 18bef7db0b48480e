// What a prompt may be (document 004, PromptGuard).

#include "flow/image/prompt_guard.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <string>

#include "base/json.h"

namespace haul::flow {
namespace {

PromptRules rules(std::string_view blocked, std::size_t length_max = 10) {
  return {.length_max = length_max,
          .blocklist = std::make_shared<const Blocklist>(Blocklist::read(blocked).value())};
}

std::string code(const PromptRules& its, const std::string& prompt,
                 const std::string& params = "{}") {
  const auto refusal =
      check_prompt(its, fmt::format(R"({{"params":{},"prompt":{}}})", params, json_quoted(prompt)));
  if (!refusal) return "fine";
  CHECK(refusal->kind == RefusalKind::guarded);
  CHECK(refusal->detail.starts_with(refusal->field + ": "));
  CHECK(refusal->detail.find(prompt) == std::string::npos);
  return refusal->code;
}

}  // namespace

TEST_CASE("S4-2: a prompt is as long as it has characters, not bytes") {
  CHECK(code(rules(""), "0123456789") == "fine");
  CHECK(code(rules(""), "01234567890") == "prompt_too_long");
  CHECK(code(rules(""), "äöüäöüäöü€") == "fine");
  CHECK(code(rules(""), "äöüäöüäöü€😀") == "prompt_too_long");
}

TEST_CASE("S4-2: a prompt in which nothing can be seen is refused") {
  for (const char* nothing : {" ", "\t\n ", "\u200b\u200d", "\u2800", "\u3000\u00a0"})
    CHECK(check_prompt(rules(""), fmt::format(R"({{"prompt":{}}})", json_quoted(nothing)))->code ==
          "prompt_empty");
  CHECK(code(rules(""), " . ") == "fine");
}

TEST_CASE("S4-2: signs that change nothing to see do not hide a blocked word") {
  for (const char* hidden : {"nude\u0301", "nu\u2800de", "nu\ufffcde", "n\u0301ude cat"})
    CHECK(code(rules("nude", 20), hidden) == "prompt_blocked");
  CHECK(code(rules("caf\u00e9", 20), "a caf\u00e9") == "prompt_blocked");
}

TEST_CASE("S4-2: a prompt with a blocked word is refused, however it is written") {
  const PromptRules its = rules("nude", 100);
  CHECK(code(its, "a cat") == "fine");
  CHECK(code(its, "denuded hills") == "fine");
  CHECK(code(its, "a nude cat") == "prompt_blocked");
  CHECK(code(its, "Ｎ\u200bude") == "prompt_blocked");
}

TEST_CASE("S4-2: a blocked word is refused in every parameter but the negative prompt") {
  const PromptRules its = rules("nude", 100);
  CHECK(code(its, "a cat", R"({"prompt_2":"a nude"})") == "prompt_blocked");
  CHECK(code(its, "a cat", R"({"prompt_2":"a\nnude"})") == "prompt_blocked");
  CHECK(code(its, "a cat", R"({"prompts":["a nude"]})") == "prompt_blocked");
  CHECK(code(its, "a cat", R"({"negative_prompt":"nude","style":"denuded"})") == "fine");
}

TEST_CASE("a job is one image: parameters that ask for several are refused") {
  const PromptRules its = rules("");
  for (const char* fine : {"{}", R"({"n":1})", R"({"size":"1024x1024","steps":30})"})
    CHECK(code(its, "a cat", fine) == "fine");
  for (const char* bad : {"[]", "1", R"("x")", R"({"n":2})", R"({"batch_size":0})",
                          R"({"n_iter":"1"})", R"({"n":1.5})"})
    CHECK_MESSAGE(code(its, "a cat", bad) == "bad_params", bad);
}

TEST_CASE("a request without a prompt is for others to refuse") {
  for (const char* request : {"", "[]", "{}", R"({"prompt":null})"})
    CHECK_FALSE(check_prompt(rules("x"), request));
}

}  // namespace haul::flow

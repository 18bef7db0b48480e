#include "engine/imageapi/image_request.h"

#include <doctest/doctest.h>

namespace haul::imageapi {
namespace {

ImageRequest request_of(const std::string& params) {
  return read_image_request(R"({"prompt":"a cat","params":)" + params + "}", "call").value();
}

std::string why(const ParamResult<void>& checked) { return checked ? "" : checked.error().detail; }

}  // namespace

TEST_CASE("a request has a prompt, and parameters that are an object of at most 64 KiB") {
  CHECK(read_image_request(R"({"prompt":"a cat"})", "x")->prompt == "a cat");
  CHECK(read_image_request(R"({"prompt":"a cat","params":null})", "x")->params.empty());
  CHECK(request_of(R"({"size":"1x1"})").params.size() == 1);

  CHECK(read_image_request("{}", "x").error().code == "bad_request");
  CHECK(read_image_request(R"({"prompt":7})", "x").error().code == "bad_request");
  CHECK(read_image_request("no JSON", "x").error().code == "bad_request");
  CHECK(read_image_request(R"({"prompt":"a","params":[]})", "x").error().code == "bad_params");
  const std::string name(65'527, 'x');
  CHECK(read_image_request(R"({"prompt":"a","params":{")" + name + R"(":1234}})", "x"));
  CHECK(read_image_request(R"({"prompt":"a","params":{")" + name + R"(":12345}})", "x")
            .error()
            .code == "bad_params");
}

TEST_CASE("a call's id is a UUID that the same text always gives") {
  const std::string id = uuid_of("haul-a1b2c3d4e5f6-7-1");

  CHECK(id.size() == 36);
  CHECK(id[14] == '8');
  CHECK(std::string{"89ab"}.find(id[19]) != std::string::npos);
  CHECK(id == uuid_of("haul-a1b2c3d4e5f6-7-1"));
  CHECK(id != uuid_of("haul-a1b2c3d4e5f6-7-2"));
}

TEST_CASE("a job is one image: every provider's word for more is refused") {
  for (const char* name :
       {"n", "n_iter", "batch_size", "num_outputs", "num_images", "number_of_images"}) {
    const std::string quoted = "{\"" + std::string{name} + "\":";
    CHECK(check_any_params(request_of(quoted + "1}")));
    CHECK(check_params(request_of(quoted + "1}"), {}));
    for (const char* more : {"2}", "0}", "\"1\"}", "1.5}"}) {
      CHECK_FALSE(check_any_params(request_of(quoted + more)));
      CHECK_FALSE(check_params(request_of(quoted + more), {}));
    }
  }
}

TEST_CASE("no parameter replaces the prompt that haul has checked") {
  CHECK(why(check_any_params(request_of(R"({"prompt":"b"})"))) ==
        "params.prompt: the prompt has a field of its own");
}

TEST_CASE("a parameter needs a rule, the rule's type, and a number in its range") {
  constexpr ParamRule kRules[] = {{"size"},
                                  {"steps", ParamRule::Type::whole, 1, 150},
                                  {"scale", ParamRule::Type::number, 0, 2}};
  const auto check = [&](const char* params) {
    return why(check_params(request_of(params), kRules));
  };

  CHECK(check(R"({"size":"1x1","steps":150,"scale":0.5})").empty());
  CHECK(check(R"({"size":null,"other":null})").empty());
  CHECK(check(R"({"other":1})") == "params.other: the provider does not take it");
  CHECK(check(R"({"size":1})") == "params.size: expected a text");
  CHECK(check(R"({"steps":151})") == "params.steps: expected a whole number from 1 to 150");
  CHECK(check(R"({"steps":1.5})") == "params.steps: expected a whole number from 1 to 150");
  CHECK(check(R"({"steps":"20"})") == "params.steps: expected a whole number from 1 to 150");
  CHECK(check(R"({"scale":2.1})") == "params.scale: expected a number from 0 to 2");
  CHECK_FALSE(check_any_params(request_of(R"({"a":{}})")));
}

TEST_CASE("parameters follow the first members, and a count of one is left out") {
  CHECK(with_params(R"("n":1)", request_of(R"({"n":1,"size":"1x1","b":true,"c":null})")) ==
        R"({"n":1,"b":true,"size":"1x1"})");
}

TEST_CASE("words of the provider that repeat the prompt are not kept") {
  const std::string kept = "blocked: a catalogue";
  CHECK(without_prompt(kept, "a cat") == kept);
  CHECK(without_prompt("blocked: 'A Cat' is bad", "a cat").find("Cat") == std::string::npos);
  CHECK(without_prompt("anything", "").size() == 8);
  const std::string prompt = std::string(100, 'x') + " and more";
  CHECK(without_prompt("no: " + std::string(60, 'x'), prompt).find("xx") == std::string::npos);
}

TEST_CASE("S4-11: 20 characters from anywhere in the prompt are too many, 19 are not") {
  const std::string prompt = "in the beginning: abcdefghijklmnopqrstuvwxyz0123456789, in the end";
  CHECK(repeats_prompt("near 'ABCDEFGHIJKLMNOPQRST'", prompt));
  CHECK_FALSE(repeats_prompt("near 'ABCDEFGHIJKLMNOPQRS'", prompt));
}

}  // namespace haul::imageapi

#include <doctest/doctest.h>

#include "base/hash.h"
#include "engine/imageapi/faults.h"
#include "support/server/provider_reply.h"

namespace haul::imageapi {
namespace {

using namespace testing;

struct OpenAiBench {
  explicit OpenAiBench(std::string model = {}, std::string url = "https://api.openai.com") {
    settings.url = std::move(url);
    settings.model = std::move(model);
    settings.api_key = "k";
    provider = make_openai(settings);
  }
  std::string body(const std::string& params = "{}") const {
    const auto request = provider->submit(request_with(params));
    return request ? request->body : request.error().detail;
  }
  std::string means(int status, const std::string& text) const {
    return meaning_text(provider->read_submit(provider_reply(status, text)));
  }

  ImageSettings settings;
  std::unique_ptr<ImageProvider> provider;
};

std::string error(const char* code, const char* type = "invalid_request_error") {
  return fmt::format(R"({{"error":{{"message":"no","type":"{}","param":null,"code":"{}"}}}})", type,
                     code);
}

}  // namespace

TEST_CASE("openai: a request names model, prompt and parameters, with the key in its header") {
  const OpenAiBench b;
  const auto request = b.provider->submit(request_with(R"({"size":"1024x1024","n":1})"));

  REQUIRE(request);
  CHECK(request->method == "POST");
  CHECK(request->path == "/v1/images/generations");
  CHECK(request->body ==
        R"({"prompt":"a \"red\" fox","n":1,"model":"gpt-image-1","size":"1024x1024"})");
  CHECK(b.provider->login() == std::vector<std::string>{"Authorization: Bearer k"});
}

TEST_CASE("openai: the image comes with the answer, unless a parameter wants its address") {
  const OpenAiBench old{"dall-e-3"};
  CHECK(old.body() ==
        R"({"prompt":"a \"red\" fox","n":1,"model":"dall-e-3","response_format":"b64_json"})");
  CHECK(old.body(R"({"response_format":"url"})") ==
        R"({"prompt":"a \"red\" fox","n":1,"model":"dall-e-3","response_format":"url"})");

  const OpenAiBench own{"", "http://127.0.0.1:8080/v1"};
  CHECK(own.body() == R"({"prompt":"a \"red\" fox","n":1,"response_format":"b64_json"})");
  CHECK(own.provider->submit(request_with())->path == "/images/generations");
}

TEST_CASE("openai: parameters that it does not take are refused before it is paid") {
  const OpenAiBench b;
  CHECK(b.body(R"({"moderation":"low"})") == "params.moderation: the provider does not take it");
  CHECK(b.body(R"({"model":"gpt-image-9"})") == "params.model: the provider does not take it");
  CHECK(b.body(R"({"stream":true})") == "params.stream: the provider does not take it");
}

TEST_CASE("openai: an answer has the image or its address") {
  const OpenAiBench b;
  CHECK(b.means(200, R"({"created":1,"data":[{"b64_json":"YWJj"}]})") == "bytes abc");
  CHECK(b.means(200, R"({"data":[{"url":"https://x/y.png","revised_prompt":"z"}]})") ==
        "address https://x/y.png");
  for (const char* odd : {"<html>", "{}", R"({"data":[]})", R"({"data":[{}]})", R"({"data":7})",
                          R"({"data":[{"b64_json":"!"}]})"})
    CHECK(b.means(200, odd) == "retryable provider_garbage unknown");
}

TEST_CASE("S4-10: openai: the codes of the safety filter reject, and their categories are kept") {
  const OpenAiBench b;
  for (const char* code :
       {"content_policy_violation", "moderation_blocked", "contentFilter", "content_filter"})
    CHECK(b.means(400, error(code)) == "rejected safety_block");
  // Recorded.
  const auto meaning = b.provider->read_submit(provider_reply(
      400, R"({"error":{"message":"Your request was rejected by the safety system. If you believe )"
           R"(this is an error, contact us and include the request ID. safety_violations=)"
           R"([violence].","type":"image_generation_user_error","param":"","code":)"
           R"("moderation_blocked"}})"));
  CHECK(meaning_text(meaning) == "rejected safety_block");
  CHECK(detail_of(meaning).find("safety_violations=[violence]") != std::string::npos);
}

TEST_CASE("Z-28: openai: an empty account is the operator's, whatever its status") {
  const OpenAiBench b;
  for (const char* code :
       {"insufficient_quota", "billing_hard_limit_reached", "credit_balance_exhausted"}) {
    CHECK(b.means(429, error(code)) == "environment provider_wants_payment");
    CHECK(b.means(400, error(code)) == "environment provider_wants_payment");
  }
  CHECK(b.means(429, error("rate_limit_exceeded")) == "retryable provider_rate_limit");
  // Azure: the whole account is blocked, which is not this user's fault.
  CHECK(b.means(403, error("content_filter")) == "retryable provider_forbids");
}

TEST_CASE("openai: other refusals mean what their status says") {
  const OpenAiBench b;
  CHECK(b.means(400, error("invalid_size")) == "permanent provider_refused");
  CHECK(b.means(401, error("invalid_api_key")) == "environment provider_refused_key");
  CHECK(b.means(404, error("model_not_found")) == "environment provider_unknown_model");
  CHECK(b.means(500, "<html>") == "retryable provider_error");
  CHECK(b.means(503, error("server_is_overloaded")) == "retryable provider_error");
  CHECK(b.means(400, R"({"error":"plain"})") == "permanent provider_refused");
}

}  // namespace haul::imageapi

#include <doctest/doctest.h>

#include "base/hash.h"
#include "support/server/provider_reply.h"

namespace haul::imageapi {
namespace {

using namespace testing;

struct Automatic1111Bench {
  Automatic1111Bench() { provider = make_automatic1111(settings); }
  std::string means(int status, const std::string& body) const {
    return meaning_text(provider->read_submit(provider_reply(status, body)));
  }

  ImageSettings settings{.provider = ProviderKind::automatic1111, .api_key = "me:secret"};
  std::unique_ptr<ImageProvider> provider;
};

}  // namespace

TEST_CASE("automatic1111: a request is one image that the server does not keep") {
  Automatic1111Bench b;
  const auto request = b.provider->submit(request_with(R"({"steps":20,"batch_size":1})"));

  REQUIRE(request);
  CHECK(request->path == "/sdapi/v1/txt2img");
  CHECK(request->body == R"({"prompt":"a \"red\" fox","n_iter":1,"batch_size":1,)"
                         R"("send_images":true,"save_images":false,"steps":20})");
  CHECK(b.provider->login() ==
        std::vector<std::string>{"Authorization: Basic " + base64_of("me:secret")});

  b.settings.model = "v1-5.safetensors";
  CHECK(b.provider->submit(request_with())
            ->body.find(R"("override_settings":{"sd_model_checkpoint":"v1-5.safetensors"})") !=
        std::string::npos);
}

TEST_CASE("automatic1111: settings and scripts of the server are no parameters") {
  const Automatic1111Bench b;
  for (const char* params : {R"({"override_settings":{}})", R"({"script_name":"x"})",
                             R"({"save_images":true})", R"({"width":8192})", R"({"n_iter":4})"})
    CHECK(b.provider->submit(request_with(params)).error().fault().code == "bad_params");
}

TEST_CASE("automatic1111: an answer has the image as base64") {
  const Automatic1111Bench b;
  CHECK(b.means(200, R"({"images":["YWJj"],"parameters":{},"info":"{}"})") == "bytes abc");
  for (const char* odd : {R"({"images":[]})", R"({"images":["!"]})", "{}", "<html>"})
    CHECK(b.means(200, odd) == "retryable provider_garbage unknown");
}

TEST_CASE("automatic1111: too little memory is tried again later, a sampler it lacks is not") {
  const Automatic1111Bench b;
  CHECK(b.means(500, R"({"error":"OutOfMemoryError","detail":"","body":"","errors":"CUDA out of )"
                     R"(memory. Tried to allocate 2 GiB"})") ==
        "retryable provider_out_of_memory 30000");
  CHECK(b.means(500, R"({"error":"RuntimeError","detail":"","body":"","errors":"x"})") ==
        "retryable provider_error");
  CHECK(b.means(404, R"({"detail":"Sampler not found"})") == "permanent bad_params");
  CHECK(b.means(404, R"({"detail":"Not Found"})") == "environment provider_unknown_model");
  CHECK(b.means(401, R"({"detail":"Incorrect username or password"})") ==
        "environment provider_refused_key");
  CHECK(b.means(422, R"({"detail":[{"msg":"x"}]})") == "permanent provider_refused");
}

}  // namespace haul::imageapi

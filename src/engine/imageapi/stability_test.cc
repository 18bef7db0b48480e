#include <doctest/doctest.h>

#include "support/server/provider_reply.h"

namespace haul::imageapi {
namespace {

using namespace testing;

struct StabilityBench {
  explicit StabilityBench(std::string model = {}) {
    settings.model = std::move(model);
    settings.api_key = "k";
    provider = make_stability(settings);
  }
  std::string means(const ProviderReply& reply) const {
    return meaning_text(provider->read_submit(reply));
  }

  ImageSettings settings;
  std::unique_ptr<ImageProvider> provider;
};

}  // namespace

TEST_CASE("stability: a request is a multipart form, also without a file") {
  const StabilityBench b;
  const auto request = b.provider->submit(request_with(R"({"aspect_ratio":"1:1","seed":7,"n":1})"));

  REQUIRE(request);
  CHECK(request->path == "/v2beta/stable-image/generate/core");
  const std::string boundary = "haul-" + uuid_of("call");
  CHECK(request->headers ==
        std::vector<std::string>{"Content-Type: multipart/form-data; boundary=" + boundary,
                                 "Accept: image/*"});
  const auto part = [&](const char* name, const char* value) {
    return fmt::format("--{}\r\nContent-Disposition: form-data; name=\"{}\"\r\n\r\n{}\r\n",
                       boundary, name, value);
  };
  CHECK(request->body == part("prompt", "a \"red\" fox") + part("aspect_ratio", "1:1") +
                             part("seed", "7") + "--" + boundary + "--\r\n");
}

TEST_CASE("stability: no prompt can end its part of the form") {
  const StabilityBench b;
  ImageRequest wanted = request_with();
  wanted.prompt = "x\r\n--haul-" + wanted.id + "\r\nContent-Disposition: form-data; name=\"n\"";

  const auto request = b.provider->submit(wanted);

  REQUIRE(request);
  CHECK(request->headers.front().ends_with("boundary=haul-" + wanted.id + "-0"));
}

TEST_CASE("stability: a model is a path, or a field of sd3") {
  CHECK(StabilityBench{"ultra"}.provider->submit(request_with())->path ==
        "/v2beta/stable-image/generate/ultra");
  const auto request = StabilityBench{"sd3.5-large"}.provider->submit(request_with());
  CHECK(request->path == "/v2beta/stable-image/generate/sd3");
  CHECK(request->body.find("name=\"model\"\r\n\r\nsd3.5-large\r\n") != std::string::npos);
  CHECK(StabilityBench{"sd3"}.provider->submit(request_with())->body.find("\"model\"") ==
        std::string::npos);
}

TEST_CASE("S4-10: stability: a filtered image comes with 200 and is rejected, not kept") {
  const StabilityBench b;
  CHECK(b.means(provider_reply(200, "PNG", {{"finish-reason", "SUCCESS"}})) == "bytes PNG");
  CHECK(b.means(provider_reply(200, "PNG")) == "bytes PNG");
  CHECK(b.means(provider_reply(200, "PNG", {{"finish-reason", "CONTENT_FILTERED"}})) ==
        "rejected safety_block");
  CHECK(b.means(provider_reply(200, "PNG", {{"finish-reason", "ERROR"}})) ==
        "retryable provider_garbage unknown");
}

TEST_CASE("stability: 403 is a blocked prompt only if its name says so") {
  const StabilityBench b;
  const auto body = [](const char* name) {
    return fmt::format(R"({{"id":"1","name":"{}","errors":["some words"]}})", name);
  };
  CHECK(b.means(provider_reply(403, body("content_moderation"))) == "rejected safety_block");
  CHECK(b.means(provider_reply(403, body("forbidden"))) == "retryable provider_forbids");
  CHECK(b.means(provider_reply(402, body("payment_required"))) ==
        "environment provider_wants_payment");
  CHECK(b.means(provider_reply(429, body("rate_limit_exceeded"), {{"retry-after", "60"}})) ==
        "retryable provider_rate_limit 60000");
  for (const int status : {400, 413, 422})
    CHECK(b.means(provider_reply(status, body("bad_request"))) == "permanent provider_refused");
  CHECK(detail_of(b.provider->read_submit(provider_reply(400, body("bad_request"))))
            .ends_with("400: some words"));
}

TEST_CASE("stability: a slow model answers 202, and haul asks for its result") {
  const StabilityBench b;
  CHECK(b.means(provider_reply(202, R"({"id":"abc"})")) == "at work abc");
  CHECK(b.means(provider_reply(202, "{}")) == "retryable provider_garbage unknown");

  CHECK(b.provider->look("a/b").front().path == "/v2beta/results/a%2Fb");
  const auto look = [&](const ProviderReply& reply) {
    return meaning_text(b.provider->read_look("abc", 0, reply));
  };
  CHECK(look(provider_reply(202, "{}")) == "at work abc");
  CHECK(look(provider_reply(200, "PNG", {{"finish-reason", "SUCCESS"}})) == "bytes PNG");
  CHECK(look(provider_reply(404, "{}")) == "none");
  CHECK(look(provider_reply(500, "")) == "not seen provider_error");
  CHECK(look(provider_reply(403, R"({"name":"content_moderation"})")) == "rejected safety_block");
}

}  // namespace haul::imageapi

#include <doctest/doctest.h>

#include "support/server/provider_reply.h"

namespace haul::imageapi {
namespace {

using namespace testing;

struct ReplicateBench {
  explicit ReplicateBench(std::string model = "me/flux") {
    settings.model = std::move(model);
    settings.api_key = "k";
    provider = make_replicate(settings);
  }
  std::string look(int status, const std::string& body) const {
    return meaning_text(provider->read_look("p1", 0, provider_reply(status, body)));
  }
  // A prediction in this status, with more members.
  std::string is(const char* status, const std::string& more = "") const {
    return look(200, fmt::format(R"({{"id":"p1","status":"{}"{}}})", status, more));
  }

  ImageSettings settings;
  std::unique_ptr<ImageProvider> provider;
};

const std::string kVersion(64, 'a');

}  // namespace

TEST_CASE("replicate: a model is named by owner, by version, or by both") {
  const auto newest =
      ReplicateBench{}.provider->submit(request_with(R"({"num_outputs":1,"go":true})"));
  CHECK(newest->path == "/v1/models/me/flux/predictions");
  CHECK(newest->body == R"({"input":{"prompt":"a \"red\" fox","go":true}})");

  for (const std::string& model : {kVersion, "me/flux:" + kVersion}) {
    const auto request = ReplicateBench{model}.provider->submit(request_with());
    CHECK(request->path == "/v1/predictions");
    CHECK(request->body ==
          R"({"version":")" + kVersion + R"(","input":{"prompt":"a \"red\" fox"}})");
  }
}

TEST_CASE("replicate: a user cannot switch the safety checker off, nor ask for two images") {
  for (const char* params : {R"({"disable_safety_checker":true})", R"({"safety_tolerance":6})",
                             R"({"Image_Safety":0})", R"({"num_outputs":2})"})
    CHECK(ReplicateBench{}.provider->submit(request_with(params)).error().fault().code ==
          "bad_params");
}

TEST_CASE("replicate: a prediction has its name at once") {
  const ReplicateBench b;
  const auto means = [&](int status, const char* body) {
    return meaning_text(b.provider->read_submit(provider_reply(status, body)));
  };
  CHECK(means(201, R"({"id":"p1","status":"starting"})") == "at work p1");
  CHECK(means(201, R"({"id":"p1","status":"succeeded","output":["x"]})") == "at work p1");
  CHECK(means(201, "{}") == "retryable provider_garbage unknown");
  CHECK(means(402, R"({"detail":"Insufficient credit"})") == "environment provider_wants_payment");
  CHECK(means(422, R"({"detail":"seed: expected integer"})") == "permanent provider_refused");
  CHECK(means(429, "") == "retryable provider_rate_limit");
}

TEST_CASE("replicate: each status of a prediction") {
  const ReplicateBench b;
  CHECK(b.is("starting") == "at work p1");
  CHECK(b.is("processing") == "at work p1");
  CHECK(b.is("succeeded", R"(,"output":["https://x/1.png","https://x/2.png"])") ==
        "address https://x/1.png");
  CHECK(b.is("succeeded", R"(,"output":"https://x/1.png")") == "address https://x/1.png");
  CHECK(b.is("succeeded", R"(,"output":null)") == "permanent no_image");
  CHECK(b.is("canceled") == "none");
  CHECK(b.is("aborted") == "retryable provider_aborted");
  CHECK(b.is("failed", R"(,"error":"out of luck")") == "retryable generation_failed");
  CHECK(b.is("dreaming") == "not seen provider_garbage");
  CHECK(b.look(404, "{}") == "none");
  CHECK(b.look(401, "{}") == "not seen provider_refused_key");
  CHECK(b.look(200, "<html>") == "not seen provider_garbage");
}

TEST_CASE("S4-10: replicate: the words of a filter in an error reject") {
  const ReplicateBench b;
  for (const char* error :
       {"NSFW content detected. Try running it again, or try a different prompt.",
        "The input or output was flagged as sensitive. Please try again. (E005)"})
    CHECK(b.is("failed", R"(,"error":)" + json_quoted(error)) == "rejected safety_block");
}

TEST_CASE("S4-10: replicate: a failure that only mentions safety is no block, and costs nothing") {
  const ReplicateBench b;
  for (const char* error : {"CUDA error in safety_checker.py",
                            "cannot load the NSFW safety checker", "moderation service timed out"})
    CHECK(b.is("failed", R"(,"error":)" + json_quoted(error)) == "retryable generation_failed");
  ProviderReply reply = provider_reply(
      200, R"({"status":"failed","error":"out of memory: a sign 'NSFW content detected'"})");
  reply.prompt = "a sign 'NSFW content detected'";
  CHECK(meaning_text(b.provider->read_look("p1", 0, reply)) == "retryable generation_failed");
}

TEST_CASE("replicate: a call is asked about and ended by its name") {
  const ReplicateBench b;
  CHECK(b.provider->look("a?b").front().path == "/v1/predictions/a%3Fb");
  CHECK(b.provider->cancel("p1").front().path == "/v1/predictions/p1/cancel");
  CHECK(b.provider->cancel("p1").front().method == "POST");
}

}  // namespace haul::imageapi

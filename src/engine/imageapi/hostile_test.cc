// A provider's answers are input from outside: whatever their bytes are, they mean something.

#include <doctest/doctest.h>

#include "base/random.h"
#include "engine/imageapi/answer_json.h"
#include "support/server/provider_reply.h"

namespace haul::imageapi {
namespace {

using namespace testing;

constexpr std::string_view kGood[] = {
    R"({"created":1,"data":[{"b64_json":"YWJj","revised_prompt":"x"}]})",
    R"({"data":[{"url":"https://x/y.png"}]})",
    R"({"error":{"message":"no","type":"t","param":null,"code":"moderation_blocked"}})",
    R"({"id":"p1","status":"succeeded","output":["https://x/1.png"],"error":null})",
    R"({"id":"p1","status":"failed","output":null,"error":"NSFW"})",
    R"({"images":["YWJj"],"parameters":{},"info":"{}"})",
    R"({"error":"OutOfMemoryError","detail":"","body":"","errors":"x"})",
    R"({"prompt_id":"p1","number":1,"node_errors":{}})",
    R"({"p1":{"outputs":{"9":{"images":[{"filename":"a","subfolder":"","type":"output"}]}}}})",
    R"({"p1":{"status":{"status_str":"error","messages":[["execution_error",{"a":1}],[],7]}}})",
    R"({"queue_running":[[1,"p1",{}]],"queue_pending":[[2],3,"x"]})",
};

std::string spoiled(std::string_view good, SeededRandom& random) {
  std::string text{good.substr(0, random.below(good.size() + 1))};
  for (std::uint64_t i = random.below(4); i > 0 && !text.empty(); --i)
    text[random.below(text.size())] = static_cast<char>(random.below(256));
  return text;
}

}  // namespace

TEST_CASE("every answer of a provider means something, however broken it is") {
  constexpr std::uint64_t kSeed = 20261117;
  CAPTURE(kSeed);
  SeededRandom random{kSeed};
  ImageSettings settings{.model = "me/flux", .workflow = "{}"};
  std::vector<std::unique_ptr<ImageProvider>> providers;
  for (const ProviderKind kind :
       {ProviderKind::openai, ProviderKind::stability, ProviderKind::replicate,
        ProviderKind::automatic1111, ProviderKind::comfyui}) {
    settings.provider = kind;
    providers.push_back(make_provider(settings));
  }
  constexpr int kStatuses[] = {0, 200, 201, 202, 302, 400, 401, 403, 404, 429, 500, 504, 999};

  for (int round = 0; round < 300; ++round)
    for (const std::string_view good : kGood) {
      const ProviderReply reply =
          provider_reply(kStatuses[random.below(std::size(kStatuses))],
                         round == 0 ? std::string{good} : spoiled(good, random),
                         {{"finish-reason", "SUCCESS"}, {"retry-after", "x"}});
      for (const auto& provider : providers) {
        CHECK_FALSE(meaning_text(provider->read_submit(reply)).empty());
        for (const std::size_t request : {0, 1, 2})
          CHECK_FALSE(meaning_text(provider->read_look("p1", request, reply)).empty());
      }
    }
}

}  // namespace haul::imageapi

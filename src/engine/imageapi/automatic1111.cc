// The web UI of AUTOMATIC1111 on a machine of the operator: it draws one image after the other, and
// answers when it is done.

#include <fmt/core.h>

#include "base/ascii.h"
#include "base/hash.h"
#include "engine/imageapi/answer_json.h"
#include "engine/imageapi/faults.h"
#include "engine/imageapi/provider.h"

namespace haul::imageapi {
namespace {

using Type = ParamRule::Type;

constexpr Millis kMemoryWait{30'000};  // Until another program has given memory back.

constexpr ParamRule kRules[] = {
    {"negative_prompt"},
    {"steps", Type::whole, 1, 150},
    {"width", Type::whole, 64, 4'096},
    {"height", Type::whole, 64, 4'096},
    {"cfg_scale", Type::number, 0, 100},
    {"sampler_name"},
    {"scheduler"},
    {"seed", Type::whole, -1, 4'294'967'295},
};

class Automatic1111 final : public ImageProvider {
 public:
  explicit Automatic1111(const ImageSettings& settings) : settings_{settings} {}

  ParamResult<ProviderRequest> submit(const ImageRequest& wanted) const override {
    if (auto good = check_params(wanted, kRules); !good) return std::unexpected{good.error()};
    std::string first = fmt::format(
        R"("prompt":{},"n_iter":1,"batch_size":1,"send_images":true,"save_images":false)",
        json_quoted(wanted.prompt));
    if (!settings_.model.empty())
      first += fmt::format(R"(,"override_settings":{{"sd_model_checkpoint":{}}})",
                           json_quoted(settings_.model));
    return ProviderRequest{.method = "POST",
                           .path = "/sdapi/v1/txt2img",
                           .headers = {"Content-Type: application/json"},
                           .body = with_params(std::move(first), wanted)};
  }

  ProviderMeaning read_submit(const ProviderReply& reply) const override {
    if (reply.head.status != 200) return read_refusal(reply);
    const CutJson cut = cut_long_texts(reply.body);
    const auto answer = AnswerJson::read(cut.json);
    const std::vector<std::string> images =
        answer ? answer->array("images") : std::vector<std::string>{};
    if (images.empty()) return garbage("the provider's answer has no image");
    auto bytes = image_bytes(cut.whole(images.front()));
    if (!bytes) return garbage("the provider's answer has no image");
    return GivenBytes{*std::move(bytes)};
  }

  std::vector<std::string> login() const override {
    if (settings_.api_key.empty()) return {};
    return {"Authorization: Basic " + base64_of(settings_.api_key)};
  }

 private:
  static ProviderMeaning read_refusal(const ProviderReply& reply) {
    const auto answer = AnswerJson::read(reply.body);
    const std::string error = answer ? answer->text("error") : std::string{};
    const std::string detail = answer ? answer->text("detail") : std::string{};
    const std::string errors = answer ? answer->text("errors") : std::string{};
    const std::string message = detail.empty() ? error + " " + errors : detail;
    if (lower(message + error).find("outofmemory") != std::string::npos ||
        lower(message).find("out of memory") != std::string::npos)
      return CallFault{.fault = {FaultKind::retryable, "provider_out_of_memory",
                                 "the provider's GPU has not enough memory"},
                       .wait = kMemoryWait};
    // The API answers 404 for an unknown sampler. If the API is off, the web server answers 404.
    if (reply.head.status == 404 && answer && detail != "Not Found")
      return CallFault{.fault = {FaultKind::permanent, "bad_params",
                                 "the provider answered 404: " + provider_words(message)}};
    if (reply.head.status == 404)
      return CallFault{.fault = {FaultKind::environment, "provider_unknown_model",
                                 "the provider answered 404: check image.url, and start it with "
                                 "--api"}};
    return refused(reply, trimmed(message));
  }

  const ImageSettings& settings_;
};

}  // namespace

std::unique_ptr<ImageProvider> make_automatic1111(const ImageSettings& settings) {
  return std::make_unique<Automatic1111>(settings);
}

}  // namespace haul::imageapi

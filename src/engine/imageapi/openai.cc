// The image API of OpenAI and of servers that copy it. Its answer has the image, or its address.

#include <fmt/core.h>

#include <algorithm>

#include "engine/imageapi/answer_json.h"
#include "engine/imageapi/faults.h"
#include "engine/imageapi/provider.h"

namespace haul::imageapi {
namespace {

using Type = ParamRule::Type;

constexpr std::string_view kUsualModel = "gpt-image-1";
constexpr ParamRule kRules[] = {
    {"size"},
    {"quality"},
    {"background"},
    {"style"},
    {"output_format"},
    {"output_compression", Type::whole, 0, 100},
    {"response_format"},
};

// ": safety_violations=[violence, self_harm]" of a message that has this list, else an empty text.
// haul keeps nothing else of the message, because it may repeat the prompt.
std::string categories_in(std::string_view message) {
  constexpr std::string_view kBegin = "safety_violations=[";
  const std::size_t at = message.find(kBegin);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = message.substr(at + kBegin.size());
  const std::size_t end = rest.find(']');
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyz_/-, ";
  if (end > 100 || rest.substr(0, end).find_first_not_of(kPlain) != std::string_view::npos)
    return {};
  return fmt::format(": {}{}]", kBegin, rest.substr(0, end));
}

bool is_one_of(std::string_view code, std::span<const std::string_view> codes) {
  return std::ranges::find(codes, code) != codes.end();
}

class OpenAi final : public ImageProvider {
 public:
  explicit OpenAi(const ImageSettings& settings)
      : settings_{settings}, model_{model_of(settings)} {}

  ParamResult<ProviderRequest> submit(const ImageRequest& wanted) const override {
    if (auto good = check_params(wanted, kRules); !good) return std::unexpected{good.error()};
    std::string first = fmt::format(R"("prompt":{},"n":1)", json_quoted(wanted.prompt));
    if (!model_.empty()) first += fmt::format(R"(,"model":{})", json_quoted(model_));
    // An image in the answer cannot expire. The newer models always send it, and refuse the field.
    if (!model_.starts_with("gpt-image") && !find_param(wanted, "response_format"))
      first += R"(,"response_format":"b64_json")";
    return ProviderRequest{
        .method = "POST",
        .path = settings_.url.ends_with("/v1") ? "/images/generations" : "/v1/images/generations",
        .headers = {"Content-Type: application/json"},
        .body = with_params(std::move(first), wanted)};
  }

  ProviderMeaning read_submit(const ProviderReply& reply) const override {
    if (reply.head.status != 200) return read_refusal(reply);
    const CutJson cut = cut_long_texts(reply.body);
    const auto answer = AnswerJson::read(cut.json);
    if (!answer) return garbage("the provider's answer is no JSON object");
    const std::vector<std::string> images = answer->array("data");
    const auto image = images.empty() ? std::nullopt : AnswerJson::read(images.front());
    if (!image) return garbage("the provider's answer has no image");
    if (const std::string url = image->text("url"); !url.empty()) return GivenAddress{url};
    auto bytes = image_bytes(cut.whole(image->text("b64_json")));
    if (!bytes) return garbage("the provider's answer has no image");
    return GivenBytes{*std::move(bytes)};
  }

  std::vector<std::string> login() const override { return bearer(settings_.api_key); }

 private:
  static std::string model_of(const ImageSettings& settings) {
    const bool is_usual = settings.url == usual_address(ProviderKind::openai);
    return settings.model.empty() && is_usual ? std::string{kUsualModel} : settings.model;
  }

  // The code decides, because one status stands for several things.
  static ProviderMeaning read_refusal(const ProviderReply& reply) {
    constexpr std::string_view kBlocked[] = {"content_policy_violation", "moderation_blocked",
                                             "contentFilter", "content_filter"};
    constexpr std::string_view kUnpaid[] = {"insufficient_quota", "billing_hard_limit_reached",
                                            "credit_balance_exhausted", "billing_not_active"};
    const auto answer = AnswerJson::read(reply.body);
    const auto error = answer ? answer->object("error") : std::nullopt;
    if (!error) return refused(reply, answer ? answer->text("error") : std::string{});
    const std::string code = error->text("code");
    const std::string message = error->text("message");
    if (reply.head.status == 400 && is_one_of(code, kBlocked))
      return blocked(code + categories_in(message));
    if (is_one_of(code, kUnpaid) || is_one_of(error->text("type"), kUnpaid))
      return wants_payment(code);
    return refused(reply, code.empty() ? message : fmt::format("{}: {}", code, message));
  }

  const ImageSettings& settings_;
  const std::string model_;
};

}  // namespace

std::unique_ptr<ImageProvider> make_openai(const ImageSettings& settings) {
  return std::make_unique<OpenAi>(settings);
}

}  // namespace haul::imageapi

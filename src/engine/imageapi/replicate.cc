// Replicate: a prediction that haul asks about until it is over. Its output is an address.

#include <fmt/core.h>

#include <optional>

#include "base/ascii.h"
#include "engine/imageapi/answer_json.h"
#include "engine/imageapi/faults.h"
#include "engine/imageapi/provider.h"

namespace haul::imageapi {
namespace {

// Models tell of a block in the text of an error, each in its own words. A block costs credits, so
// only these phrases count: a safety checker can also fail, and the prompt may have such words.
std::optional<std::string_view> block_in(std::string_view error, std::string_view prompt) {
  constexpr std::string_view kPhrases[] = {"nsfw content detected",
                                           "nsfw content was detected",
                                           "nsfw images detected",
                                           "flagged as sensitive",
                                           "flagged by safety",
                                           "flagged by moderation",
                                           "flagged by content moderation",
                                           "flagged by the content moderation",
                                           "blocked by safety",
                                           "blocked by moderation",
                                           "blocked by content moderation",
                                           "violates our content policy",
                                           "violates the content policy",
                                           "content policy violation",
                                           "(e005)"};
  std::string text = lower(error);
  const std::string asked = lower(prompt);
  if (const std::size_t at = asked.empty() ? std::string::npos : text.find(asked);
      at != std::string::npos)
    text.erase(at, asked.size());
  for (const std::string_view phrase : kPhrases)
    if (text.find(phrase) != std::string::npos) return phrase;
  return std::nullopt;
}

bool is_version(std::string_view model) {
  return model.size() == 64 &&
         model.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

class Replicate final : public ImageProvider {
 public:
  explicit Replicate(const ImageSettings& settings) : settings_{settings} {}

  bool answers_at_once() const override { return false; }

  ParamResult<ProviderRequest> submit(const ImageRequest& wanted) const override {
    if (auto good = check_any_params(wanted); !good) return std::unexpected{good.error()};
    for (const JsonField& param : wanted.params)
      if (lower(param.name).find("safety") != std::string::npos)
        return std::unexpected{BadParam::of(param.name, "the operator decides that")};
    const std::string input =
        with_params(fmt::format(R"("prompt":{})", json_quoted(wanted.prompt)), wanted);
    const auto [path, version] = prediction_path_of(settings_.model);
    return ProviderRequest{.method = "POST",
                           .path = path,
                           .headers = {"Content-Type: application/json"},
                           .body = version.empty() ? fmt::format(R"({{"input":{}}})", input)
                                                   : fmt::format(R"({{"version":{},"input":{}}})",
                                                                 json_quoted(version), input)};
  }

  // How the prediction goes is for look() to tell, also if it is over already.
  ProviderMeaning read_submit(const ProviderReply& reply) const override {
    const auto answer = AnswerJson::read(reply.body);
    const int status = reply.head.status;
    if (status < 200 || status >= 300)
      return refused(reply, answer ? answer->text("detail") : std::string{});
    if (!answer) return garbage("the provider's answer is not JSON");
    const std::string id = answer->text("id");
    if (id.empty()) return garbage("the provider's answer names no prediction");
    return CallAtWork{id, answer->text("status")};
  }

  std::vector<ProviderRequest> look(const std::string& handle) const override {
    return {{.path = "/v1/predictions/" + percent_encoded(handle)}};
  }

  ProviderMeaning read_look(const std::string& handle, std::size_t,
                            const ProviderReply& reply) const override {
    if (reply.head.status == 404) return NoSuchCall{};
    const auto answer = AnswerJson::read(reply.body);
    if (reply.head.status != 200 || !answer) return not_seen(reply);
    const std::string status = answer->text("status");
    if (status == "starting" || status == "processing") return CallAtWork{handle, status};
    if (status == "succeeded") return read_output(*answer);
    if (status == "canceled") return NoSuchCall{};  // Nothing comes of it any more.
    if (status == "aborted")
      return CallFault{.fault = {FaultKind::retryable, "provider_aborted",
                                 "the provider did not begin in time"}};
    if (status == "failed") return read_failure(answer->text("error"), reply.prompt);
    return not_seen(reply);
  }

  std::vector<ProviderRequest> cancel(const std::string& handle) const override {
    return {{.method = "POST", .path = "/v1/predictions/" + percent_encoded(handle) + "/cancel"}};
  }

  std::vector<std::string> login() const override { return bearer(settings_.api_key); }

 private:
  struct PredictionPath {
    std::string path;
    std::string version;  // Empty: the model's newest.
  };
  // "owner/name", "owner/name:version" or a version alone.
  static PredictionPath prediction_path_of(const std::string& model) {
    const std::size_t colon = model.find(':');
    if (colon != std::string::npos) return {"/v1/predictions", model.substr(colon + 1)};
    if (is_version(model)) return {"/v1/predictions", model};
    const std::size_t slash = model.find('/');
    return {fmt::format("/v1/models/{}/{}/predictions", percent_encoded(model.substr(0, slash)),
                        slash == std::string::npos ? "" : percent_encoded(model.substr(slash + 1))),
            {}};
  }

  static ProviderMeaning read_output(const AnswerJson& answer) {
    const std::vector<std::string> all = answer.array("output");
    const std::string url = all.empty() ? answer.text("output") : all.front();
    if (!url.empty()) return GivenAddress{url};
    return CallFault{
        .fault = {FaultKind::permanent, "no_image", "the model's output has no address"}};
  }

  static ProviderMeaning read_failure(const std::string& error, std::string_view prompt) {
    if (const auto block = block_in(error, prompt)) return blocked(*block);
    return CallFault{.fault = {FaultKind::retryable, "generation_failed",
                               "the provider failed: " + provider_words(error)}};
  }

  const ImageSettings& settings_;
};

}  // namespace

std::unique_ptr<ImageProvider> make_replicate(const ImageSettings& settings) {
  return std::make_unique<Replicate>(settings);
}

}  // namespace haul::imageapi

// Stability's API v2beta: a form, answered with the bytes of the image.

#include <fmt/core.h>

#include <algorithm>

#include "base/ascii.h"
#include "base/query.h"
#include "engine/imageapi/answer_json.h"
#include "engine/imageapi/faults.h"
#include "engine/imageapi/provider.h"

namespace haul::imageapi {
namespace {

using Type = ParamRule::Type;

constexpr ParamRule kRules[] = {
    {"negative_prompt"},
    {"aspect_ratio"},
    {"style_preset"},
    {"output_format"},
    {"seed", Type::whole, 0, 4'294'967'294},
    {"cfg_scale", Type::number, 1, 10},
};

// The API takes multipart forms only, also without a file.
ProviderRequest form_request(std::string path, const QueryFields& fields, const std::string& id) {
  const auto has = [&](const std::string& boundary) {
    return std::ranges::any_of(fields, [&](const auto& field) {
      return field.second.find(boundary) != std::string::npos;
    });
  };
  std::string boundary = "haul-" + id;
  for (int i = 0; has(boundary); ++i) boundary = fmt::format("haul-{}-{}", id, i);
  std::string body;
  for (const auto& [name, value] : fields)
    body += fmt::format("--{}\r\nContent-Disposition: form-data; name=\"{}\"\r\n\r\n{}\r\n",
                        boundary, name, value);
  body += fmt::format("--{}--\r\n", boundary);
  return {.method = "POST",
          .path = std::move(path),
          .headers = {"Content-Type: multipart/form-data; boundary=" + boundary, "Accept: image/*"},
          .body = std::move(body)};
}

class Stability final : public ImageProvider {
 public:
  explicit Stability(const ImageSettings& settings) : settings_{settings} {}

  ParamResult<ProviderRequest> submit(const ImageRequest& wanted) const override {
    if (auto good = check_params(wanted, kRules); !good) return std::unexpected{good.error()};
    const std::string& model = settings_.model;
    const bool is_sd3 = model.starts_with("sd3");
    QueryFields fields{{"prompt", wanted.prompt}};
    if (is_sd3 && model != "sd3") fields.emplace_back("model", model);
    for (const JsonField& param : wanted.params)
      if (!param.is_null && !counts_images(param.name)) fields.emplace_back(param.name, param.text);
    const std::string kind = model.empty() ? "core" : is_sd3 ? "sd3" : percent_encoded(model);
    return form_request("/v2beta/stable-image/generate/" + kind, fields, wanted.id);
  }

  ProviderMeaning read_submit(const ProviderReply& reply) const override {
    if (reply.head.status == 200) return read_image(reply);
    if (reply.head.status != 202) return read_refusal(reply);
    const auto answer = AnswerJson::read(reply.body);
    const std::string id = answer ? answer->text("id") : std::string{};
    if (id.empty()) return garbage("the provider's answer names no call");
    return CallAtWork{id, "at the provider"};
  }

  std::vector<ProviderRequest> look(const std::string& handle) const override {
    return {{.path = "/v2beta/results/" + percent_encoded(handle), .headers = {"Accept: image/*"}}};
  }
  ProviderMeaning read_look(const std::string& handle, std::size_t,
                            const ProviderReply& reply) const override {
    const int status = reply.head.status;
    if (status == 200) return read_image(reply);
    if (status == 202) return CallAtWork{handle, "at the provider"};
    if (status == 404) return NoSuchCall{};
    if (const auto block = block_in(reply)) return *block;
    return not_seen(reply);
  }

  std::vector<std::string> login() const override { return bearer(settings_.api_key); }

 private:
  // A blocked image comes with 200, blurred.
  static ProviderMeaning read_image(const ProviderReply& reply) {
    const std::string_view reason = reply.head.find("finish-reason");
    if (reason == "CONTENT_FILTERED") return blocked("CONTENT_FILTERED");
    if (!reason.empty() && reason != "SUCCESS")
      return garbage(fmt::format("the provider ended with {}", provider_words(reason)));
    return GivenBytes{reply.body};
  }

  static std::optional<CallFault> block_in(const ProviderReply& reply) {
    const auto answer = AnswerJson::read(reply.body);
    if (reply.head.status != 403 || !answer || answer->text("name") != "content_moderation")
      return std::nullopt;
    return blocked("content_moderation");
  }

  static ProviderMeaning read_refusal(const ProviderReply& reply) {
    if (const auto block = block_in(reply)) return *block;
    const auto answer = AnswerJson::read(reply.body);
    return refused(reply, answer ? words_of(*answer) : std::string{});
  }

  static std::string words_of(const AnswerJson& answer) {
    const std::vector<std::string> errors = answer.array("errors");
    return errors.empty() ? answer.text("name") : errors.front();
  }

  const ImageSettings& settings_;
};

}  // namespace

std::unique_ptr<ImageProvider> make_stability(const ImageSettings& settings) {
  return std::make_unique<Stability>(settings);
}

}  // namespace haul::imageapi

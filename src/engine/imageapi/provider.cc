#include "engine/imageapi/provider.h"

namespace haul::imageapi {

std::unique_ptr<ImageProvider> make_provider(const ImageSettings& settings) {
  switch (settings.provider) {
    case ProviderKind::openai:
      return make_openai(settings);
    case ProviderKind::stability:
      return make_stability(settings);
    case ProviderKind::replicate:
      return make_replicate(settings);
    case ProviderKind::automatic1111:
      return make_automatic1111(settings);
    case ProviderKind::comfyui:
      return make_comfyui(settings);
  }
  return nullptr;  // Not reached: the switch is complete.
}

CheckParams params_check(const ImageSettings& settings) {
  struct Checked {
    explicit Checked(const ImageSettings& from)
        : settings{from}, provider{make_provider(settings)} {}
    const ImageSettings settings;
    const std::unique_ptr<ImageProvider> provider;
  };
  return [checked = std::make_shared<const Checked>(settings)](
             std::string_view request) -> std::optional<BadParam> {
    const auto wanted = read_image_request(request, "check");
    if (!wanted) return std::nullopt;  // The form of a request is checked elsewhere.
    const auto submitted = checked->provider->submit(*wanted);
    return submitted ? std::nullopt : std::optional{submitted.error()};
  };
}

std::vector<std::string> bearer(const std::string& key) {
  if (key.empty()) return {};
  return {"Authorization: Bearer " + key};
}

}  // namespace haul::imageapi

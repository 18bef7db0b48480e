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

std::vector<std::string> bearer(const std::string& key) {
  if (key.empty()) return {};
  return {"Authorization: Bearer " + key};
}

}  // namespace haul::imageapi

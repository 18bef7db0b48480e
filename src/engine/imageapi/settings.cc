#include "engine/imageapi/settings.h"

namespace haul::imageapi {

std::string_view name_of(ProviderKind provider) {
  switch (provider) {
    case ProviderKind::openai:
      return "openai";
    case ProviderKind::stability:
      return "stability";
    case ProviderKind::replicate:
      return "replicate";
    case ProviderKind::automatic1111:
      return "automatic1111";
    case ProviderKind::comfyui:
      return "comfyui";
  }
  return "";  // Not reached: the switch is complete.
}

std::string_view usual_address(ProviderKind provider) {
  switch (provider) {
    case ProviderKind::openai:
      return "https://api.openai.com";
    case ProviderKind::stability:
      return "https://api.stability.ai";
    case ProviderKind::replicate:
      return "https://api.replicate.com";
    case ProviderKind::automatic1111:
      return "http://127.0.0.1:7860";
    case ProviderKind::comfyui:
      return "http://127.0.0.1:8188";
  }
  return "";  // Not reached: the switch is complete.
}

}  // namespace haul::imageapi

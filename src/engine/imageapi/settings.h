#pragma once
// How haul reaches the provider of images, and where it keeps an image until a bucket has it.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "base/fault.h"
#include "base/time.h"
#include "io/web/address.h"

namespace haul::imageapi {

enum class ProviderKind : std::uint8_t { openai, stability, replicate, automatic1111, comfyui };

struct ImageSettings {
  ProviderKind provider = ProviderKind::openai;
  std::string url;          // "https://api.openai.com", without a trailing slash.
  std::string api_key;      // For automatic1111 "user:password". Empty: no login.
  std::string model;        // As the provider names it. Empty: the provider's default.
  std::string workflow;     // For comfyui: the graph, JSON with the placeholder {{prompt}}.
  Millis timeout{180'000};  // For one answer of the provider. Most draw while haul waits for it.
  std::int64_t max_size = std::int64_t{32} << 20U;  // Of an image, in bytes.
  std::filesystem::path staging;                    // haul's own folder, absolute.
  io::Reach reach;      // Where images may be fetched from. The provider itself may be anywhere.
  std::string ca_file;  // Trusted certificates. Empty for those of the system.
  std::string user_agent = "haul";
  // Called when the provider's fault changes, with null when it is over. Runs on the loop's thread.
  std::function<void(const Fault*)> on_trouble;
};

// "openai"
std::string_view name_of(ProviderKind provider);
// "https://api.openai.com": where the provider is if the configuration names no address.
std::string_view usual_address(ProviderKind provider);

}  // namespace haul::imageapi

#include "app/config/image.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>

#include "app/config/config.h"
#include "app/config/image_rules.h"
#include "app/config/transfer.h"
#include "app/config/value.h"
#include "base/environment.h"
#include "base/size.h"
#include "engine/imageapi/graph.h"

namespace haul::app {
namespace {

using imageapi::ProviderKind;

constexpr std::string_view kProvider = "image.provider";
constexpr std::string_view kUrl = "image.url";
constexpr std::string_view kApiKey = "image.api_key";
constexpr std::string_view kModel = "image.model";
constexpr std::string_view kWorkflow = "image.workflow";
constexpr std::string_view kTimeout = "image.timeout";
constexpr std::string_view kMaxSize = "image.max_size";
constexpr std::string_view kOnUnknown[] = {"retry", "give_up"};
constexpr std::array kProviders = {ProviderKind::openai, ProviderKind::stability,
                                   ProviderKind::replicate, ProviderKind::automatic1111,
                                   ProviderKind::comfyui};
constexpr std::int64_t kImageMax = std::int64_t{64} << 20U;
constexpr std::size_t kWorkflowMax = std::size_t{1} << 20U;

std::optional<ProviderKind> provider_named(std::string_view name) {
  const auto found = std::ranges::find(kProviders, name, imageapi::name_of);
  return found == kProviders.end() ? std::nullopt : std::optional{*found};
}

std::string wrong_with_provider(const std::string& text) {
  if (text.empty() || provider_named(text)) return {};
  return in_quotes(text) +
         " is no provider (expected openai, stability, replicate, automatic1111 or comfyui)";
}

std::string wrong_with_url(const std::string& text) {
  if (text.empty() || !server_address(text).empty()) return {};
  return "not an http or https address (expected e.g. http://127.0.0.1:8188)";
}

std::string wrong_with_max_size(const std::string& text) {
  const auto size = read_size(text);
  if (size && *size >= 1 && *size <= kImageMax) return {};
  return "expected 1 byte to 64M";
}

constexpr ConfigKey kKeys[] = {
    {.name = kProvider,
     .kind = ConfigKind::text,
     .default_value = "",
     .about = "Provider of images: openai, stability, replicate, automatic1111 or comfyui. "
              "Leave empty if haul generates none",
     .check = wrong_with_provider},
    {.name = kUrl,
     .kind = ConfigKind::text,
     .default_value = "",
     .about = "URL of the provider, such as http://127.0.0.1:8188. Default: the provider's own",
     .check = wrong_with_url},
    {.name = kApiKey,
     .kind = ConfigKind::text,
     .default_value = "",
     .about = "API key of the provider; for automatic1111 user:password. Set it through a file or "
              "the environment",
     .is_secret = true},
    {.name = kModel,
     .kind = ConfigKind::text,
     .default_value = "",
     .about = "Model, as the provider names it: gpt-image-1, core, black-forest-labs/flux-schnell. "
              "Default: the provider's own; replicate needs one"},
    {.name = "image.price",
     .kind = ConfigKind::number,
     .default_value = "1",
     .about = "Credits that one image costs. 0: images are free",
     .range = ConfigRange{0, 1'000'000}},
    {.name = "image.prompt_max",
     .kind = ConfigKind::number,
     .default_value = "4000",
     .about = "Longest prompt, in characters",
     .range = ConfigRange{1, 32'768}},
    {.name = "image.blocklist",
     .kind = ConfigKind::path,
     .default_value = "",
     .about = "File of blocked words and phrases, one per line; a line between slashes is a "
              "regular expression"},
    {.name = "image.retries_max",
     .kind = ConfigKind::number,
     .default_value = "3",
     .about = "Attempts at an image before it becomes a dead letter, at most 3",
     .range = ConfigRange{1, 3}},
    {.name = "image.on_unknown",
     .kind = ConfigKind::text,
     .default_value = "retry",
     .about = "What haul does if a paid call may have had its effect but its answer was lost: "
              "retry, which may pay twice, or give_up",
     .words = kOnUnknown},
    {.name = "image.refund_rejected",
     .kind = ConfigKind::boolean,
     .default_value = "false",
     .about = "Whether an image that the provider's safety filter blocks is refunded"},
    {.name = "image.at_once",
     .kind = ConfigKind::number,
     .default_value = "2",
     .about = "Images that the provider generates at the same time",
     .range = ConfigRange{1, 64}},
    {.name = "image.per_owner",
     .kind = ConfigKind::number,
     .default_value = "1",
     .about = "Images of one owner that are generated at the same time",
     .range = ConfigRange{1, 64}},
    {.name = "image.open_max",
     .kind = ConfigKind::number,
     .default_value = "20",
     .about = "Images that one owner may have waiting or running",
     .range = ConfigRange{1, 10'000}},
    {.name = "image.per_minute",
     .kind = ConfigKind::number,
     .default_value = "10",
     .about = "Images that one owner may ask for in a minute",
     .range = ConfigRange{1, 10'000}},
    {.name = kTimeout,
     .kind = ConfigKind::duration,
     .default_value = "3m",
     .about = "How long haul waits for an answer of the provider, at most 10m. Most take a minute "
              "or two",
     .range = between(Millis{1'000}, std::chrono::minutes{10})},
    {.name = "image.wait_max",
     .kind = ConfigKind::duration,
     .default_value = "30m",
     .about = "How long haul waits for an image that the provider has accepted. Then it stops the "
              "generation and counts a failure",
     .range = between(std::chrono::minutes{1}, std::chrono::hours{24})},
    {.name = kMaxSize,
     .kind = ConfigKind::size,
     .default_value = "32M",
     .about = "Largest image",
     .check = wrong_with_max_size},
    {.name = kWorkflow,
     .kind = ConfigKind::path,
     .default_value = "",
     .about = "For comfyui: file with the workflow in API format. {{prompt}} stands for the "
              "prompt, {{seed}} for the parameter seed, and so on"},
};

Result<void> check_provider(const Config& config) {
  if (auto list = check_blocklist(config); !list) return list;
  const auto provider = provider_named(config.text(kProvider));
  if (!provider) return {};
  const std::string& from = config.from(kProvider);
  const bool is_hosted = imageapi::usual_address(*provider).starts_with("https:");
  if (is_hosted && config.text(kUrl).empty() && config.text(kApiKey).empty())
    return bad_config(from,
                      fmt::format("{}: {} needs {}", kProvider, config.text(kProvider), kApiKey));
  if (*provider == ProviderKind::replicate && config.text(kModel).empty())
    return bad_config(from, fmt::format("{}: replicate needs {}", kProvider, kModel));
  if (*provider == ProviderKind::comfyui && config.text(kWorkflow).empty())
    return bad_config(from, fmt::format("{}: comfyui needs {}", kProvider, kWorkflow));
  return {};
}

Result<std::string> read_workflow(const Config& config) {
  const std::string path = config.text(kWorkflow);
  if (path.empty()) return std::string{};
  const auto refuse = [&](std::string_view why) {
    return bad_config(config.from(kWorkflow), fmt::format("{}: {} {}", kWorkflow, path, why));
  };
  std::ifstream file{path, std::ios::binary};
  if (!file) return refuse("cannot be read");
  std::string text(kWorkflowMax + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > kWorkflowMax) return refuse("has more than 1 MiB");
  if (const auto graph = imageapi::check_graph(text); !graph) return refuse(graph.error().detail);
  return text;
}

}  // namespace

ConfigArea image_area() { return {.keys = kKeys, .check = check_provider}; }

Result<std::optional<imageapi::ImageSettings>> image_engine_settings(
    const Config& config, const std::filesystem::path& data) {
  const auto provider = provider_named(config.text(kProvider));
  if (!provider) return std::nullopt;
  const auto reach = transfer_reach(config);
  if (!reach) return std::unexpected{reach.error()};
  auto workflow = read_workflow(config);
  if (!workflow) return std::unexpected{workflow.error()};
  imageapi::ImageSettings settings;
  settings.provider = *provider;
  settings.url = config.text(kUrl).empty() ? std::string{imageapi::usual_address(*provider)}
                                           : server_address(config.text(kUrl));
  settings.api_key = config.text(kApiKey);
  settings.model = config.text(kModel);
  settings.workflow = *std::move(workflow);
  settings.timeout = config.duration(kTimeout);
  settings.max_size = config.size(kMaxSize).value_or(settings.max_size);
  settings.staging = std::filesystem::absolute(data) / "images";
  settings.reach = *reach;
  settings.ca_file = environment("SSL_CERT_FILE");
  return settings;
}

}  // namespace haul::app

// The troubles that a running daemon reports of services which `haul doctor` does not ask itself.

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "app/doctor.h"
#include "cli/draw/bytes.h"
#include "cli/remote/answers.h"

namespace haul::app {
namespace {

struct Service {
  std::string_view part;  // As /health/ready names it.
  const char* waits;
  const char* mend;
};
constexpr const char* kImages = "images wait";
constexpr const char* kProvider = "see [image] in the configuration; the daemon's log says more";
constexpr Service kServices[] = {
    {"yandex_disk", "relays wait",
     "correct its token in [relay] and restart the daemon; its log says more"},
    {"telegram", "relays wait",
     "correct its token in [relay] and restart the daemon; its log says more"},
    {"openai", kImages, kProvider},
    {"stability", kImages, kProvider},
    {"replicate", kImages, kProvider},
    {"automatic1111", kImages, kProvider},
    {"comfyui", kImages, kProvider},
    {"bucket", kImages, "see [bucket] in the configuration; the daemon's log says more"},
};

struct Mend {
  std::string_view code;
  const char* mend;
};
constexpr Mend kMends[] = {
    {"provider_refused_key", "correct image.api_key and restart the daemon"},
    {"provider_wants_payment", "pay for the provider's account; haul continues by itself"},
    {"provider_unknown_model", "correct image.model or image.url and restart the daemon"},
    {"provider_unreachable", "start the provider, or correct image.url and restart the daemon"},
};
// haul tries again by itself, and each of these ends an attempt of one image.
constexpr std::string_view kPassing[] = {"provider_rate_limit", "provider_error", "provider_busy",
                                         "provider_garbage", "provider_timeout"};

}  // namespace

std::vector<cli::Finding> reported_troubles(const std::string& ready) {
  std::vector<cli::Finding> findings;
  for (const std::string& each :
       cli::JsonView::read(ready).value_or(cli::JsonView{}).list("troubles")) {
    const cli::JsonView trouble = cli::JsonView::read(each).value_or(cli::JsonView{});
    const std::string part = trouble.text("part");
    const std::string code = trouble.text("code");
    const auto* service = std::ranges::find(kServices, part, &Service::part);
    if (service == std::end(kServices)) continue;
    const auto* known = std::ranges::find(kMends, code, &Mend::code);
    if (std::ranges::find(kPassing, code) != std::end(kPassing))
      findings.push_back({cli::Health::note, part, fmt::format("the daemon reports {}", code),
                          "haul tries again by itself"});
    else
      findings.push_back({cli::Health::wrong, part,
                          fmt::format("the daemon reports {}: {}", code, service->waits),
                          known == std::end(kMends) ? service->mend : known->mend});
  }
  return findings;
}

std::vector<cli::Finding> reported_speed(const std::string& stats) {
  const cli::JsonView all = cli::JsonView::read(stats).value_or(cli::JsonView{});
  const cli::JsonView limit = all.object("speed_limit");
  const std::int64_t rate = limit.number("bytes_per_second").value_or(0);
  const std::string until = limit.text("until");
  if (rate == 0 && until.empty()) return {};
  return {
      {cli::Health::ok, "speed limit",
       fmt::format("{}{} ({})", rate > 0 ? cli::bytes_text(rate) + "/s" : "none",
                   until.empty() ? "" : fmt::format(" until {}", until), limit.text("set_by"))}};
}

}  // namespace haul::app

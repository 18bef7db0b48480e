#include "engine/imageapi/env.h"

#include <fmt/core.h>

#include <algorithm>

namespace haul::imageapi {
std::optional<CallFault> ProviderHold::held() const {
  const Steady now = clock_.steady();
  if (!fault_ || now >= until_) return std::nullopt;
  // This job was not even tried. What the provider said about another one is not for its owner.
  return CallFault{.fault = {FaultKind::environment, fault_->code,
                             "the provider asked haul to wait; another image met its limit"},
                   .wait = std::chrono::ceil<Millis>(until_ - now)};
}

void ProviderHold::see(const Fault* fault, Millis wait) {
  tell(fault);
  fault_.reset();
  if (!fault || fault->code != "provider_rate_limit" || wait == Millis{0}) return;
  fault_ = *fault;
  until_ = clock_.steady() + wait;
}

void ProviderHold::tell(const Fault* fault) {
  const std::string code = fault ? fault->code : std::string{};
  if (std::exchange(trouble_, code) == code) return;
  if (on_trouble_) on_trouble_(fault);
}

io::HttpRequest request_to_provider(const ImageEnv& env, const ProviderRequest& request,
                                    Millis within) {
  io::HttpRequest sent{.method = request.method,
                       .url = env.settings.url + request.path,
                       .headers = request.headers,
                       .body = request.body,
                       .user_agent = env.settings.user_agent,
                       // A proxy from the environment would see the key of a plain connection.
                       .direct = env.settings.url.starts_with("http://"),
                       .ca_file = env.settings.ca_file,
                       .connect_timeout = std::min(within, Millis{20'000}),
                       .head_timeout = within,
                       .stall_timeout = within,
                       .reach = {.private_too = true, .allowed = {}}};
  for (std::string& header : env.provider.login()) sent.headers.push_back(std::move(header));
  // Otherwise curl waits a second before it sends a long body.
  if (!sent.body.empty()) sent.headers.emplace_back("Expect:");
  return sent;
}

std::string call_of(const Order& order) { return fmt::format("{}-{}", order.tag(), order.fence); }

}  // namespace haul::imageapi

#include "engine/imageapi/faults.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "base/ascii.h"
#include "base/redact.h"
#include "io/web/http_date.h"

namespace haul::imageapi {
namespace {

constexpr Millis kWaitMax{600'000};
constexpr std::size_t kWordsMax = 300;

std::optional<std::int64_t> read_count(std::string_view text) {
  std::int64_t value = 0;
  const auto [at, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || at != text.data() + text.size() || value < 0)
    return std::nullopt;
  return value;
}

Fault fault(FaultKind kind, const char* code, int status, std::string_view message) {
  std::string detail = fmt::format("the provider answered {}", status);
  if (!message.empty()) detail += ": " + provider_words(message);
  return {kind, code, std::move(detail)};
}

// Whether a refusal names what all calls share. The user's own words do not count.
bool is_about_account(std::string_view message, std::string_view prompt) {
  constexpr std::string_view kWords[] = {
      "api key", "api_key", "apikey",       "token",        "billing",      "payment", "credit",
      "quota",   "account", "organization", "organisation", "subscription", "country", "model"};
  if (repeats_prompt(message, prompt)) return false;
  const std::string text = lower(message);
  return std::ranges::any_of(
      kWords, [&](std::string_view word) { return text.find(word) != std::string::npos; });
}

// Only an operator can help. The provider's own words are left out: they may repeat the key.
Fault for_operator(int status) {
  const auto environment = [](const char* code, const char* detail) {
    return Fault{FaultKind::environment, code, detail};
  };
  switch (status) {
    case 401:
      return environment("provider_refused_key", "the provider answered 401: check image.api_key");
    case 402:
      return environment("provider_wants_payment",
                         "the provider answered 402: pay for the account of image.api_key");
    case 403:
      return environment("provider_forbids",
                         "the provider answered 403: the account may not use this model or is "
                         "blocked");
    default:
      return environment("provider_unknown_model",
                         "the provider answered 404: check image.model and image.url");
  }
}

bool is_behind_gateway(int status) {
  constexpr std::array kGateways = {502, 504, 520, 524};
  return std::ranges::find(kGateways, status) != kGateways.end();
}

}  // namespace

std::string provider_words(std::string_view text) { return safe_detail(text.substr(0, kWordsMax)); }

CallFault blocked(std::string_view reason) {
  return {.fault = {FaultKind::rejected, kSafetyBlock,
                    "the provider's safety filter blocked it: " + provider_words(reason)}};
}

CallFault refused(const ProviderReply& reply, std::string_view message) {
  const int status = reply.head.status;
  if (status >= 401 && status <= 404) {
    CallFault fault{.fault = for_operator(status)};
    const bool is_plain = status > 402 && !is_about_account(message, reply.prompt);
    if (is_plain) fault.fault.kind = FaultKind::retryable;
    return fault;
  }
  if (status >= 300 && status < 400)
    return {.fault = {FaultKind::retryable, "provider_elsewhere",
                      fmt::format("the provider answered {}: check image.url", status)}};
  if (status == 429)
    return {.fault = fault(FaultKind::retryable, "provider_rate_limit", status, message),
            .wait = asked_wait(reply)};
  if (status >= 500)
    return {.fault = fault(FaultKind::retryable, "provider_error", status, message),
            .wait = asked_wait(reply),
            .outcome_unknown = is_behind_gateway(status)};
  if (status == 408 || status == 409 || status == 425)
    return {.fault = fault(FaultKind::retryable, "provider_busy", status, message),
            .wait = asked_wait(reply)};
  return {.fault = fault(FaultKind::permanent, "provider_refused", status, message)};
}

CallFault wants_payment(std::string_view code) {
  return {.fault = {FaultKind::environment, "provider_wants_payment",
                    fmt::format("the account of image.api_key is empty or its quota is spent: {}",
                                provider_words(code))}};
}

CallFault garbage(std::string_view why) {
  return {.fault = {FaultKind::retryable, "provider_garbage", std::string{why}},
          .outcome_unknown = true};
}

NotSeen not_seen(const ProviderReply& reply) {
  CallFault told = refused(reply, {});
  if (reply.head.status < 300)
    told = {.fault = {FaultKind::retryable, "provider_garbage", "haul cannot read the answer"}};
  return {.fault = std::move(told.fault), .wait = told.wait};
}

Millis asked_wait(const ProviderReply& reply) {
  if (const auto ms = read_count(reply.head.find("retry-after-ms")))
    return std::min(Millis{*ms}, kWaitMax);
  const std::string_view text = reply.head.find("retry-after");
  if (const auto seconds = read_count(text))
    return Millis{std::min(*seconds, kWaitMax.count() / 1'000) * 1'000};
  const auto date = io::read_http_date(text);
  if (!date) return Millis{0};
  return std::clamp<Millis>(*date - reply.now, Millis{0}, kWaitMax);
}

CallFault unreached(const Fault& fault) {
  constexpr std::array<std::string_view, 5> kBeforeTheFirstByte = {
      "host_not_found", "cannot_connect", "network_down", "tls_not_trusted", "private_address"};
  const bool is_known =
      std::ranges::find(kBeforeTheFirstByte, fault.code) != kBeforeTheFirstByte.end();
  const std::string detail = fmt::format("{}: {}", fault.code, fault.detail);
  if (fault.code == "too_long")
    return {.fault = {FaultKind::permanent, "image_too_large",
                      "the provider's answer is longer than image.max_size allows"}};
  if (fault.kind == FaultKind::environment)
    return {.fault = {FaultKind::environment, "provider_unreachable", detail},
            .outcome_unknown = !is_known};
  if (fault.code == "tls_not_trusted")
    return {.fault = {FaultKind::environment, "provider_not_trusted", detail}};
  if (is_known) return {.fault = {FaultKind::environment, "provider_unreachable", detail}};
  return {.fault = {FaultKind::retryable,
                    fault.code == "timeout" || fault.code == "stalled" ? "provider_timeout"
                                                                       : "provider_lost",
                    detail + "; the call may have been paid for"},
          .outcome_unknown = true};
}

}  // namespace haul::imageapi

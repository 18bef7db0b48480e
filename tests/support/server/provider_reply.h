#pragma once
// Replies of image providers for tests of what they mean, and those meanings as short texts.

#include <fmt/core.h>

#include <string>
#include <utility>
#include <vector>

#include "engine/imageapi/provider.h"

namespace haul::testing {

using ReplyHeaders = std::vector<std::pair<std::string, std::string>>;

inline imageapi::ProviderReply provider_reply(int status, std::string body,
                                              ReplyHeaders headers = {}) {
  return {.head = {.status = status, .headers = std::move(headers)},
          .body = std::move(body),
          .now = Time{Millis{1'700'000'000'000}}};
}

inline imageapi::ImageRequest request_with(const std::string& params = "{}") {
  const std::string request = R"({"prompt":"a \"red\" fox","params":)" + params + "}";
  return imageapi::read_image_request(request, "call").value();
}

inline std::string fault_text(const Fault& fault) {
  constexpr std::string_view kKinds[] = {"retryable", "permanent", "rejected", "environment",
                                         "cancelled"};
  return fmt::format("{} {}", kKinds[static_cast<std::size_t>(fault.kind)], fault.code);
}

// "bytes abc", "address https://…", "at work ID", "none", "not seen CODE", or a fault with its
// kind, its code, the milliseconds to wait, and whether the outcome is unknown.
inline std::string meaning_text(const imageapi::ProviderMeaning& meaning) {
  using namespace imageapi;
  if (const auto* bytes = std::get_if<GivenBytes>(&meaning)) return "bytes " + bytes->bytes;
  if (const auto* given = std::get_if<GivenAddress>(&meaning))
    return (given->at == GivenAddress::At::provider ? "own address " : "address ") + given->address;
  if (const auto* work = std::get_if<CallAtWork>(&meaning)) return "at work " + work->handle;
  if (std::holds_alternative<NoSuchCall>(meaning)) return "none";
  if (const auto* unseen = std::get_if<NotSeen>(&meaning)) return "not seen " + unseen->fault.code;
  const auto& call = std::get<CallFault>(meaning);
  return fault_text(call.fault) +
         (call.wait == Millis{0} ? "" : fmt::format(" {}", call.wait.count())) +
         (call.outcome_unknown ? " unknown" : "");
}

inline std::string detail_of(const imageapi::ProviderMeaning& meaning) {
  const auto* call = std::get_if<imageapi::CallFault>(&meaning);
  return call ? call->fault.detail : std::string{};
}

}  // namespace haul::testing

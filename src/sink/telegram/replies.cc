#include "sink/telegram/replies.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/json.h"
#include "base/redact.h"
#include "sink/server/lenient_json.h"

namespace haul::telegram {
namespace {

using media_server::LenientJson;

constexpr std::int64_t kWaitWithoutNumber = 5;  // Seconds.
constexpr std::int64_t kWaitMax = std::int64_t{24} * 3'600;

struct KnownText {
  std::string_view part;  // Of the description.
  std::string_view code;
};

// Of 400. All else that has this status is `chat_refused`.
constexpr std::array kBadRequests = {
    KnownText{"chat not found", "chat_not_found"},
    KnownText{"message is not modified", kNotModified},
    KnownText{"message to edit not found", kMessageGone},
    KnownText{"message can't be edited", kMessageGone},
    KnownText{"MESSAGE_ID_INVALID", kMessageGone},
    KnownText{"query is too old", kLateAnswer},
    KnownText{"query ID is invalid", kLateAnswer},
    KnownText{"file is too big", "too_large"},
    KnownText{"wrong file identifier", kStaleFileId},
    KnownText{"wrong remote file identifier", kStaleFileId},
    KnownText{"FILE_REFERENCE_", kStaleFileId},
};

Fault permanent(std::string_view code, std::string_view detail) {
  return {FaultKind::permanent, std::string{code}, safe_detail(detail)};
}

Fault unauthorised(std::string_view detail) {
  return {FaultKind::environment, std::string{kChatUnauthorised},
          safe_detail(fmt::format("Telegram refuses the bot ({}): check relay.telegram_token and "
                                  "relay.telegram_url",
                                  detail))};
}

Fault bad_request(std::string_view description) {
  if (description.find("Logged out") != std::string_view::npos) return unauthorised(description);
  for (const KnownText& each : kBadRequests)
    if (description.find(each.part) != std::string_view::npos)
      return permanent(each.code, description);
  return permanent("chat_refused", description);
}

Fault forbidden(std::string_view description) {
  const bool by_user = description.find("blocked by the user") != std::string_view::npos;
  return permanent(by_user ? kChatBlocked : "chat_forbidden", description);
}

ChatFault flood_wait(const LenientJson& answer, std::string_view description) {
  const auto parameters = answer.object("parameters");
  const auto said = parameters ? parameters->whole("retry_after") : std::nullopt;
  const std::int64_t seconds = std::clamp(said.value_or(kWaitWithoutNumber),  //
                                          std::int64_t{1}, kWaitMax);
  return {.fault = {FaultKind::retryable, std::string{kFloodWait}, safe_detail(description)},
          .wait = Millis{seconds * 1'000}};
}

ChatFault by_code(int code, const LenientJson& answer, const std::string& description) {
  if (code == 429) return flood_wait(answer, description);
  if (code == 400) {
    ChatFault fault{.fault = bad_request(description)};
    const auto parameters = answer.object("parameters");
    fault.moved_to = parameters ? parameters->whole("migrate_to_chat_id").value_or(0) : 0;
    if (fault.moved_to != 0) fault.fault.code = "chat_moved";
    return fault;
  }
  if (code == 401 || code == 404 || code == 421) return {.fault = unauthorised(description)};
  if (code == 403) return {.fault = forbidden(description)};
  if (code == 409)
    return {.fault = {FaultKind::retryable, std::string{kChatConflict}, safe_detail(description)}};
  if (code == 413) return {.fault = permanent("too_large", description)};
  if (code >= 500)  // It may have failed after the effect.
    return {.fault = {FaultKind::retryable, "chat_server_error", safe_detail(description)},
            .outcome_unknown = true};
  return {.fault = permanent("chat_refused", fmt::format("{}: {}", code, description))};
}

// An answer that a gateway gave instead of Telegram, or no JSON where JSON must be.
ChatFault without_json(int status) {
  if (status == 413) return {.fault = permanent("too_large", "413 without a description")};
  if (status == 429)
    return {.fault = {FaultKind::retryable, std::string{kFloodWait}, "429 without a description"},
            .wait = Millis{kWaitWithoutNumber * 1'000}};
  if (status == 401 || status == 404) return {.fault = unauthorised(std::to_string(status))};
  if (status >= 400 && status < 500)
    return {.fault = permanent("chat_refused", fmt::format("{} without a description", status))};
  return {.fault = {FaultKind::retryable, "chat_garbage",
                    fmt::format("Telegram answered {} without its JSON", status)},
          .outcome_unknown = true};
}

}  // namespace

BotReply read_reply(int status, std::string_view body) {
  const auto fields = read_object(body).value_or(std::vector<JsonField>{});
  const auto find = [&](std::string_view name) {
    return std::ranges::find(fields, name, &JsonField::name);
  };
  const bool is_good = find("ok") != fields.end() && find("ok")->json == "true";
  if (is_good && find("result") != fields.end()) return find("result")->json;
  const auto answer = LenientJson::read(body);
  if (is_good || !answer || !answer->is_no("ok")) return std::unexpected{without_json(status)};
  const auto code = static_cast<int>(answer->whole("error_code").value_or(status));
  return std::unexpected{by_code(code, *answer, answer->text("description"))};
}

ChatFault fault_without_reply(const Fault& fault) {
  // These never reached Telegram.
  const bool never_sent = fault.code == "host_not_found" || fault.code == "cannot_connect" ||
                          fault.code == "network_down" || fault.code == "tls_not_trusted";
  return {.fault = {fault.kind, fault.code, safe_detail(fault.detail)},
          .outcome_unknown = !never_sent};
}

std::int64_t read_message_id(std::string_view result) {
  const auto message = LenientJson::read(result);
  return message ? message->whole("message_id").value_or(0) : 0;
}

}  // namespace haul::telegram

#include "sink/telegram/answer.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "base/json.h"
#include "base/request_value.h"
#include "sink/server/lenient_json.h"
#include "sink/telegram/replies.h"

namespace haul::telegram {
namespace {

using media_server::LenientJson;

constexpr std::string_view kRefused = "chat_refused";
constexpr std::int64_t kWaitMost = 86'400;  // Seconds.
constexpr std::int64_t kMovedWait = 1'000;  // Milliseconds until the send to the new chat.

// The file of a message. Telegram may keep it as something other than a document.
std::optional<LenientJson> file_of(const LenientJson& message) {
  for (const std::string_view kind : {"document", "animation", "video", "audio"})
    if (auto file = message.object(kind)) return file;
  return std::nullopt;
}

// The proof of the delivery. Nothing if the result names no message.
std::optional<Sent> receipt(std::string_view result) {
  const auto message = LenientJson::read(result);
  const auto id = message ? message->whole("message_id") : std::nullopt;
  if (!id) return std::nullopt;
  const auto chat = message->object("chat");
  const auto file = file_of(*message);
  return Sent{fmt::format(
      R"({{"message_id":{},"chat_id":{},"file_id":{},"file_unique_id":{},"date":{}}})", *id,
      chat ? chat->whole("id").value_or(0) : 0, json_quoted(file ? file->text("file_id") : ""),
      json_quoted(file ? file->text("file_unique_id") : ""), message->whole("date").value_or(0))};
}

// A proxy's 429 has the wait in its header alone.
std::int64_t wait_of(const ChatFault& told, const SendAnswer& answer) {
  if (told.fault.code != kFloodWait) return told.wait.count();
  const auto seconds = read_whole(answer.retry_after).value_or(0);
  return std::max(told.wait.count(), std::clamp<std::int64_t>(seconds, 0, kWaitMost) * 1'000);
}

}  // namespace

SendOutcome judge_answer(const SendAnswer& answer, SentAs sent_as) {
  const BotReply reply = read_reply(answer.status, answer.body);
  if (reply) {
    if (auto sent = receipt(*reply)) return {.what = *std::move(sent)};
    return {.what = Failed{.fault = {FaultKind::retryable, "chat_garbage",
                                     "Telegram's answer names no message"},
                           .outcome_unknown = true,
                           .checkpoint = {}}};
  }
  const ChatFault& told = reply.error();
  Failed failed{.fault = told.fault,
                .outcome_unknown = told.outcome_unknown && !answer.is_early,
                .wait_ms = wait_of(told, answer),
                .checkpoint = {}};
  if (told.fault.code == kStaleFileId && sent_as == SentAs::bytes)
    failed.fault.code = kRefused;  // No id was sent.
  else if (told.fault.code == kRefused && sent_as == SentAs::file_id)
    failed.fault.code = kStaleFileId;  // In other words. If it is not the id, the bytes fail, too.
  if (told.moved_to == 0) return {.what = std::move(failed)};
  failed.fault.kind = FaultKind::retryable;
  failed.wait_ms = kMovedWait;
  return {.what = std::move(failed), .new_chat = std::to_string(told.moved_to)};
}

}  // namespace haul::telegram

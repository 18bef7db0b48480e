#pragma once
// What Telegram's answers say: the result of a call, or a fault by its code and description.

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "base/fault.h"
#include "base/time.h"

namespace haul::telegram {

struct ChatFault {
  Fault fault;
  Millis wait{0};                // Telegram asks to wait this long. Such a call had no effect.
  bool outcome_unknown = false;  // The answer was lost: the call may have had its effect.
  std::int64_t moved_to = 0;     // The group has this chat id now. Zero if it has not moved.

  bool operator==(const ChatFault&) const = default;
};

using BotReply = std::expected<std::string, ChatFault>;  // The JSON of `result`.

// Codes of faults that callers decide by.
inline constexpr std::string_view kFloodWait = "flood_wait";        // Retryable, with a wait.
inline constexpr std::string_view kNotModified = "not_modified";    // The message says that.
inline constexpr std::string_view kMessageGone = "message_gone";    // It cannot be edited.
inline constexpr std::string_view kLateAnswer = "late_answer";      // To a callback query.
inline constexpr std::string_view kStaleFileId = "stale_file_id";   // Upload the file again.
inline constexpr std::string_view kChatBlocked = "chat_blocked";    // The user blocked the bot.
inline constexpr std::string_view kChatConflict = "chat_conflict";  // Another program polls.
inline constexpr std::string_view kChatUnauthorised = "chat_unauthorised";  // Environment.

// Reads the whole answer to a call, whatever its status. Gateways answer with HTML.
BotReply read_reply(int status, std::string_view body);

// The call ended without a whole answer.
ChatFault fault_without_reply(const Fault& fault);

// The id of the message in the result of a send. Zero if it names none.
std::int64_t read_message_id(std::string_view result);

}  // namespace haul::telegram

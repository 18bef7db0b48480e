#pragma once
// Reads what users sent to the bot: messages and clicks on buttons.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"

namespace haul::telegram {

// A message or a click. Telegram delivers it again until a later offset confirms it. One that haul
// does not use, such as a photo of a channel, has only its id.
struct BotUpdate {
  std::int64_t id = 0;
  std::int64_t from = 0;       // The user; zero if haul does not use the update.
  std::int64_t chat = 0;       // Equal to `from` in a private chat.
  std::string name{};          // Of the user, as Telegram shows it.
  std::string language{};      // "ru", "en-US"; empty if unknown.
  std::string text{};          // Of a message.
  std::string callback{};      // The id of a click. Redelivered clicks have the same. Else empty.
  std::string data{};          // Of the clicked button.
  std::int64_t message = 0;    // The message with the button. Zero if it cannot be edited.
  bool is_unreadable = false;  // Telegram's JSON of it is broken. It has only its id.

  bool is_click() const { return !callback.empty(); }
  bool is_private() const { return from != 0 && chat == from; }
  bool operator==(const BotUpdate&) const = default;
};

// An answer to getUpdates in which each update that haul's JSON reader refuses is replaced by its
// id alone. Empty if the text is not such an answer.
std::string mended_updates(std::string_view body);

// The result of getUpdates, in the order of the ids.
Result<std::vector<BotUpdate>> read_updates(std::string_view result);

}  // namespace haul::telegram

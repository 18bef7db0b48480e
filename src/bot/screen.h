#pragma once
// What a message of the bot shows: a text and buttons. Pure.

#include <cstdint>
#include <string>
#include <vector>

#include "bot/press.h"
#include "sink/telegram/api.h"

namespace haul::bot {

struct ScreenButton {
  std::string label;
  Press press;

  bool operator==(const ScreenButton&) const = default;
};

struct BotScreen {
  std::string text;
  std::vector<std::vector<ScreenButton>> rows{};

  bool operator==(const BotScreen&) const = default;
};

// A call of the bot. Calls to one chat go out in order and not too fast.
struct OutCall {
  telegram::BotCall call;
  std::int64_t chat = 0;     // Zero: it belongs to no chat.
  std::int64_t message = 0;  // The message that it edits: a later edit replaces one that waits.

  bool operator==(const OutCall&) const = default;
};

OutCall send_screen(std::int64_t chat, const BotScreen& screen);
OutCall edit_screen(std::int64_t chat, std::int64_t message, const BotScreen& screen);
// Ends the wait of a click. The text may be empty.
OutCall answer_click(const std::string& callback, std::string_view text);

}  // namespace haul::bot

#pragma once
// What a user asks the bot for. Pure.

#include <cstdint>
#include <string>

#include "bot/press.h"
#include "sink/telegram/updates.h"

namespace haul::bot {

struct BotCommand {
  enum class Kind : std::uint8_t {
    none,  // Not for the bot: a group's message, a photo.
    start,
    help,
    search,  // A text: the query.
    press,
    old_press,  // A button that haul does not know.
    status,
    requests,
    refresh,
  };
  Kind kind = Kind::none;
  Press press{};
  std::string query{};

  bool operator==(const BotCommand&) const = default;
};

// The bot talks in private chats only: what it shows in a group, others could see.
BotCommand read_command(const telegram::BotUpdate& update);

}  // namespace haul::bot

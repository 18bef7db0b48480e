#include "bot/command.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"

namespace haul::bot {
namespace {

struct NamedCommand {
  std::string_view name;
  BotCommand::Kind kind;
};

constexpr std::array kCommands = {
    NamedCommand{"/start", BotCommand::Kind::start},
    NamedCommand{"/menu", BotCommand::Kind::start},
    NamedCommand{"/help", BotCommand::Kind::help},
    NamedCommand{"/status", BotCommand::Kind::status},
    NamedCommand{"/requests", BotCommand::Kind::requests},
    NamedCommand{"/refresh", BotCommand::Kind::refresh},
};

constexpr std::size_t kQueryMax = 200;  // Bytes.

BotCommand read_text(std::string_view text) {
  text = trimmed(text);
  if (text.empty()) return {};
  if (!text.starts_with('/')) {
    std::size_t size = std::min(text.size(), kQueryMax);
    while (size < text.size() && (static_cast<unsigned char>(text[size]) & 0xc0U) == 0x80) --size;
    return {.kind = BotCommand::Kind::search, .query = std::string{text.substr(0, size)}};
  }
  // "/start@haul_bot argument"
  const std::string name = lower(text.substr(0, text.find_first_of(" @\n")));
  const auto found = std::ranges::find(kCommands, name, &NamedCommand::name);
  return {.kind = found == kCommands.end() ? BotCommand::Kind::help : found->kind};
}

}  // namespace

BotCommand read_command(const telegram::BotUpdate& update) {
  if (!update.is_private()) return {};
  if (!update.is_click()) return read_text(update.text);
  const auto press = read_press(update.data);
  if (!press) return {.kind = BotCommand::Kind::old_press};
  return {.kind = BotCommand::Kind::press, .press = *press};
}

}  // namespace haul::bot

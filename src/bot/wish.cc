#include "bot/wish.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"

namespace haul::bot {
namespace {

struct Command {
  std::string_view name;
  BotWish::Kind kind;
};

constexpr std::array kCommands = {
    Command{"/start", BotWish::Kind::start},       Command{"/menu", BotWish::Kind::start},
    Command{"/help", BotWish::Kind::help},         Command{"/status", BotWish::Kind::status},
    Command{"/requests", BotWish::Kind::requests}, Command{"/refresh", BotWish::Kind::refresh},
};

constexpr std::size_t kQueryMax = 200;  // Bytes.

BotWish read_text(std::string_view text) {
  text = trimmed(text);
  if (text.empty()) return {};
  if (!text.starts_with('/')) {
    std::size_t size = std::min(text.size(), kQueryMax);
    while (size < text.size() && (static_cast<unsigned char>(text[size]) & 0xc0U) == 0x80) --size;
    return {.kind = BotWish::Kind::search, .query = std::string{text.substr(0, size)}};
  }
  // "/start@haul_bot argument"
  const std::string name = lower(text.substr(0, text.find_first_of(" @\n")));
  const auto found = std::ranges::find(kCommands, name, &Command::name);
  return {.kind = found == kCommands.end() ? BotWish::Kind::help : found->kind};
}

}  // namespace

BotWish read_wish(const telegram::BotUpdate& update) {
  if (!update.is_private()) return {};
  if (!update.is_click()) return read_text(update.text);
  const auto press = read_press(update.data);
  if (!press) return {.kind = BotWish::Kind::old_press};
  return {.kind = BotWish::Kind::press, .press = *press};
}

}  // namespace haul::bot

#include "sink/telegram/updates.h"

#include <algorithm>
#include <optional>

#include "sink/server/lenient_json.h"

namespace haul::telegram {
namespace {

using media_server::LenientJson;

constexpr std::size_t kTextMax = 4'096;  // Telegram's own limit is as many characters.
constexpr std::size_t kNameMax = 256;

std::string cut(std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  // Never in the middle of a character.
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xc0U) == 0x80) --most;
  text.resize(most);
  return text;
}

std::string name_of(const LenientJson& user) {
  std::string name = user.text("first_name");
  if (const std::string last = user.text("last_name"); !last.empty())
    name.append(name.empty() ? "" : " ").append(last);
  return cut(name.empty() ? user.text("username") : name, kNameMax);
}

bool read_from(const LenientJson& holder, BotUpdate& update) {
  const auto user = holder.object("from");
  if (!user || user->text("is_bot") == "true") return false;
  update.from = user->whole("id").value_or(0);
  update.name = name_of(*user);
  update.language = cut(user->text("language_code"), 16);
  return update.from != 0;
}

std::int64_t chat_of(const LenientJson& message) {
  const auto chat = message.object("chat");
  return chat ? chat->whole("id").value_or(0) : 0;
}

void read_message(const LenientJson& message, BotUpdate& update) {
  if (!read_from(message, update)) return;
  update.chat = chat_of(message);
  update.text = cut(message.text("text"), kTextMax);
}

void read_click(const LenientJson& click, BotUpdate& update) {
  if (!read_from(click, update)) return;
  update.callback = cut(click.text("id"), 64);
  update.data = cut(click.text("data"), 64);
  const auto message = click.object("message");
  if (!message) return;
  update.chat = chat_of(*message);
  // The date of a message that the bot cannot reach any more is zero.
  if (message->whole("date") != 0) update.message = message->whole("message_id").value_or(0);
}

}  // namespace

Result<std::vector<BotUpdate>> read_updates(std::string_view result) {
  const auto list = media_server::read_objects(result);
  if (!list)
    return std::unexpected{
        Fault{FaultKind::retryable, "chat_garbage", "Telegram's list of updates is not a list"}};
  std::vector<BotUpdate> updates;
  for (const LenientJson& each : *list) {
    BotUpdate update{.id = each.whole("update_id").value_or(0)};
    if (update.id == 0) continue;
    if (const auto message = each.object("message"))
      read_message(*message, update);
    else if (const auto click = each.object("callback_query"))
      read_click(*click, update);
    updates.push_back(std::move(update));
  }
  std::ranges::stable_sort(updates, {}, &BotUpdate::id);
  return updates;
}

}  // namespace haul::telegram

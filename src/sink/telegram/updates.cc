#include "sink/telegram/updates.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "base/json.h"
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

constexpr std::string_view kListBegins = R"("result":[)";
constexpr std::string_view kIdName = R"("update_id":)";

// A quote inside of a literal has a backslash before it, so a text that a user sent is never taken
// for the name.
std::string only_id(std::string_view update) {
  const std::size_t name = update.find(kIdName);
  if (name == std::string_view::npos) return "{}";
  const std::string_view rest = update.substr(name + kIdName.size());
  const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
  if (digits == 0 || digits > 18) return "{}";
  return fmt::format(R"({{"update_id":{},"unreadable":true}})", rest.substr(0, digits));
}

}  // namespace

std::string mended_updates(std::string_view body) {
  const std::size_t list = body.find(kListBegins);
  if (!body.starts_with(R"({"ok":true)") || list == std::string_view::npos) return {};
  std::string mended = R"({"ok":true,"result":[)";
  std::size_t at = list + kListBegins.size();
  for (std::size_t i = 0; at < body.size() && body[at] != ']'; ++i) {
    const std::string_view rest = body.substr(at);
    const std::size_t size = rest.starts_with('{') ? end_at_depth(rest, 0) : std::string_view::npos;
    if (size == std::string_view::npos) return {};
    const std::string_view update = rest.substr(0, size);
    mended.append(i == 0 ? "" : ",");
    mended.append(LenientJson::read(update) ? std::string{update} : only_id(update));
    at += size;
    if (at < body.size() && body[at] == ',') ++at;
  }
  return mended + "]}";
}

Result<std::vector<BotUpdate>> read_updates(std::string_view result) {
  const auto list = media_server::read_objects(result);
  if (!list)
    return std::unexpected{
        Fault{FaultKind::retryable, "chat_garbage", "Telegram's list of updates is not a list"}};
  std::vector<BotUpdate> updates;
  for (const LenientJson& each : *list) {
    BotUpdate update{.id = each.whole("update_id").value_or(0)};
    if (update.id == 0) continue;
    update.is_unreadable = each.text("unreadable") == "true";
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

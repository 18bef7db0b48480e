#include "bot/screen.h"

#include <fmt/core.h>

#include "base/json.h"

namespace haul::bot {
namespace {

std::string buttons_json(const BotScreen& screen) {
  std::string rows;
  for (const auto& row : screen.rows) {
    std::string buttons;
    for (const ScreenButton& button : row)
      buttons += fmt::format(R"({}{{"text":{},"callback_data":{}}})", buttons.empty() ? "" : ",",
                             json_quoted(button.label), json_quoted(to_data(button.press)));
    rows += fmt::format("{}[{}]", rows.empty() ? "" : ",", buttons);
  }
  return fmt::format(R"({{"inline_keyboard":[{}]}})", rows);
}

}  // namespace

OutCall send_screen(std::int64_t chat, const BotScreen& screen) {
  return {.call = {.method = "sendMessage",
                   .body = fmt::format(R"({{"chat_id":{},"text":{},"reply_markup":{}}})", chat,
                                       json_quoted(screen.text), buttons_json(screen))},
          .chat = chat};
}

OutCall edit_screen(std::int64_t chat, std::int64_t message, const BotScreen& screen) {
  return {.call = {.method = "editMessageText",
                   .body = fmt::format(
                       R"({{"chat_id":{},"message_id":{},"text":{},"reply_markup":{}}})", chat,
                       message, json_quoted(screen.text), buttons_json(screen))},
          .chat = chat,
          .message = message};
}

OutCall answer_click(const std::string& callback, std::string_view text) {
  return {.call = {.method = "answerCallbackQuery",
                   .body = fmt::format(R"({{"callback_query_id":{},"text":{}}})",
                                       json_quoted(callback), json_quoted(text))}};
}

}  // namespace haul::bot

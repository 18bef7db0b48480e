// Telegram's answers, with the texts of the server's own source.

#include "sink/telegram/replies.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "base/json.h"

namespace haul::telegram {
namespace {

std::string kind(FaultKind of) {
  constexpr const char* kNames[] = {"retryable", "permanent", "rejected", "environment",
                                    "cancelled"};
  return kNames[static_cast<std::size_t>(of)];
}

// "permanent chat_not_found", with the wait, "unknown" and the new chat id if there are any.
std::string told(const ChatFault& fault) {
  std::string text = kind(fault.fault.kind) + " " + fault.fault.code;
  if (fault.wait > Millis{0}) text += fmt::format(" {} ms", fault.wait.count());
  if (fault.outcome_unknown) text += " unknown";
  if (fault.moved_to != 0) text += fmt::format(" to {}", fault.moved_to);
  return text;
}

std::string told(int code, std::string_view description, std::string_view more = "") {
  const BotReply reply =
      read_reply(code, fmt::format(R"({{"ok":false,"error_code":{},"description":{}{}}})", code,
                                   json_quoted(description), more));
  return reply ? "good " + *reply : told(reply.error());
}

std::string raw(int status, std::string_view body) {
  const BotReply reply = read_reply(status, body);
  return reply ? "good " + *reply : told(reply.error());
}

}  // namespace

TEST_CASE("a good answer is its result, whatever its type") {
  CHECK(raw(200, R"({"ok":true,"result":{"message_id":5}})") == R"(good {"message_id":5})");
  CHECK(raw(200, R"({"ok":true,"result":[]})") == "good []");
  CHECK(raw(200, R"({"ok":true,"result":true})") == "good true");
  CHECK(read_message_id(R"({"message_id":5,"chat":{"id":1}})") == 5);
  CHECK(read_message_id("true") == 0);
}

TEST_CASE("S3-11, S3-12: Telegram's faults are sorted by code, then by text") {
  CHECK(told(400, "Bad Request: chat not found") == "permanent chat_not_found");
  CHECK(told(400, "Bad Request: private chat not found") == "permanent chat_not_found");
  CHECK(told(400, "Bad Request: file is too big") == "permanent too_large");
  CHECK(told(400, "Bad Request: wrong file identifier/HTTP URL specified") ==
        "permanent stale_file_id");
  CHECK(told(400, "Bad Request: message is not modified: specified new message content") ==
        "permanent not_modified");
  CHECK(told(400, "Bad Request: message to edit not found") == "permanent message_gone");
  CHECK(told(400,
             "Bad Request: query is too old and response timeout expired or query ID is "
             "invalid") == "permanent late_answer");
  CHECK(told(400, "Logged out") == "environment chat_unauthorised");
  CHECK(told(400, "Bad Request: can't parse entities") == "permanent chat_refused");
  CHECK(told(400, "Bad Request: group chat was upgraded to a supergroup chat",
             R"(,"parameters":{"migrate_to_chat_id":-1001234567890})") ==
        "permanent chat_moved to -1001234567890");
  CHECK(told(401, "Unauthorized") == "environment chat_unauthorised");
  CHECK(told(404, "Not Found") == "environment chat_unauthorised");
  CHECK(told(403, "Forbidden: bot was blocked by the user") == "permanent chat_blocked");
  CHECK(told(403, "Forbidden: user is deactivated") == "permanent chat_forbidden");
  CHECK(told(409, "Conflict: terminated by other getUpdates request") == "retryable chat_conflict");
  CHECK(told(413, "Request Entity Too Large: file of size 9 is too big to be uploaded") ==
        "permanent too_large");
  CHECK(told(421, "Misdirected Request: unallowed token specified") ==
        "environment chat_unauthorised");
  CHECK(told(500, "Internal Server Error: restart") == "retryable chat_server_error unknown");
}

TEST_CASE("Z-12: a flood wait lasts as long as Telegram asks, and such a call had no effect") {
  CHECK(told(429, "Too Many Requests: retry after 3", R"(,"parameters":{"retry_after":3})") ==
        "retryable flood_wait 3000 ms");
  CHECK(told(429, "Too Many Requests") == "retryable flood_wait 5000 ms");
  CHECK(told(429, "Too Many Requests", R"(,"parameters":{"retry_after":0})") ==
        "retryable flood_wait 1000 ms");
  CHECK(told(429, "Too Many Requests", R"(,"parameters":{"retry_after":9000000})") ==
        "retryable flood_wait 86400000 ms");
}

TEST_CASE("an answer of a gateway is read by its status; a broken good one leaves it unknown") {
  CHECK(raw(413, "<html>413</html>") == "permanent too_large");
  CHECK(raw(429, "<html>429</html>") == "retryable flood_wait 5000 ms");
  CHECK(raw(502, "<html>502</html>") == "retryable chat_garbage unknown");
  CHECK(raw(200, "<html>router</html>") == "retryable chat_garbage unknown");
  CHECK(raw(200, R"({"ok":true})") == "retryable chat_garbage unknown");
  CHECK(raw(200, "") == "retryable chat_garbage unknown");
  CHECK(raw(401, "") == "environment chat_unauthorised");
}

TEST_CASE("a call without an answer may have had its effect, unless it never got there") {
  CHECK(told(fault_without_reply({FaultKind::retryable, "timeout", "x"})) ==
        "retryable timeout unknown");
  CHECK(told(fault_without_reply({FaultKind::retryable, "connection_lost", "x"})) ==
        "retryable connection_lost unknown");
  CHECK(told(fault_without_reply({FaultKind::retryable, "cannot_connect", "x"})) ==
        "retryable cannot_connect");
  CHECK(told(fault_without_reply({FaultKind::environment, "network_down", "x"})) ==
        "environment network_down");
}

TEST_CASE("S3-19: no detail of a fault has the bot's token") {
  const ChatFault fault = fault_without_reply(
      {FaultKind::retryable, "timeout",
       "https://api.telegram.org/bot123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw/sendMessage"});
  CHECK(fault.fault.detail.find("AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw") == std::string::npos);
}

}  // namespace haul::telegram

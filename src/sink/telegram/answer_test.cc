#include "sink/telegram/answer.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "support/server/fake_telegram.h"

namespace haul::telegram {
namespace {

using haul::testing::telegram_fault;

// "sent ACK", or "KIND CODE", with "unknown" and the wait.
std::string judged(const SendAnswer& answer, SentAs sent_as = SentAs::bytes) {
  const SendOutcome outcome = judge_answer(answer, sent_as);
  if (const auto* sent = std::get_if<Sent>(&outcome.what)) return "sent " + sent->ack;
  const auto& failed = std::get<Failed>(outcome.what);
  constexpr const char* kKinds[] = {"retryable", "permanent", "rejected", "environment",
                                    "cancelled"};
  return fmt::format("{} {}{}{}{}", kKinds[static_cast<std::size_t>(failed.fault.kind)],
                     failed.fault.code, failed.outcome_unknown ? " unknown" : "",
                     failed.wait_ms > 0 ? fmt::format(" {}", failed.wait_ms) : "",
                     outcome.new_chat.empty() ? "" : " to " + outcome.new_chat);
}
std::string judged(int code, const std::string& text, const std::string& parameters = "",
                   SentAs sent_as = SentAs::bytes) {
  const auto reply = telegram_fault(code, text, parameters);
  return judged({.status = reply.status, .body = reply.body}, sent_as);
}

}  // namespace

TEST_CASE("S3-13: the acknowledgement names the message, the chat and Telegram's file") {
  CHECK(judged({.status = 200,
                .body =
                    R"({"ok":true,"result":{"message_id":5,"chat":{"id":-1001234567890},)"
                    R"("date":1700000000,"document":{"file_id":"BQ","file_unique_id":"Ag"}}})"}) ==
        R"(sent {"message_id":5,"chat_id":-1001234567890,"file_id":"BQ","file_unique_id":"Ag",)"
        R"("date":1700000000})");
  CHECK(judged({.status = 200,
                .body = R"({"ok":true,"result":{"message_id":5,"animation":{"file_id":"x"}}})"})
            .find(R"("file_id":"x")") != std::string::npos);
}

TEST_CASE("S3-12: refusals by the user or the chat are permanent, with a stable reason") {
  CHECK(judged(400, "Bad Request: chat not found") == "permanent chat_not_found");
  CHECK(judged(403, "Forbidden: bot was blocked by the user") == "permanent chat_blocked");
  CHECK(judged(403, "Forbidden: user is deactivated") == "permanent chat_forbidden");
  CHECK(judged(403, "Forbidden: bot was kicked from the group chat") == "permanent chat_forbidden");
  CHECK(judged(413, "Request Entity Too Large: file of size 9 is too big to be uploaded") ==
        "permanent too_large");
  CHECK(judged(400, "Bad Request: file is too big") == "permanent too_large");
  CHECK(judged(400, "Bad Request: something else") == "permanent chat_refused");
  CHECK(judged({.status = 413, .body = "<html>413</html>"}) == "permanent too_large");
}

TEST_CASE("S3-11: Telegram's own trouble is retryable, and a flood wait has its length") {
  CHECK(judged(500, "Internal Server Error: restart") == "retryable chat_server_error unknown");
  CHECK(judged(429, "Too Many Requests: retry after 3", R"({"retry_after":3})") ==
        "retryable flood_wait 3000");
  CHECK(judged({.status = 429, .body = "slow down", .retry_after = "7"}) ==
        "retryable flood_wait 7000");
  CHECK(judged({.status = 429, .body = ""}) == "retryable flood_wait 5000");
  CHECK(judged(429, "", R"({"retry_after":-4})") == "retryable flood_wait 1000");
  CHECK(judged(429, "", R"({"retry_after":999999999})") == "retryable flood_wait 86400000");
}

TEST_CASE("a bot that Telegram refuses is the operator's to mend and costs no attempt") {
  CHECK(judged(401, "Unauthorized") == "environment chat_unauthorised");
  CHECK(judged(404, "Not Found") == "environment chat_unauthorised");
  CHECK(judged(421, "Misdirected Request") == "environment chat_unauthorised");
  CHECK(judged(400, "Logged out") == "environment chat_unauthorised");
}

TEST_CASE("an answer that is not Telegram's leaves the outcome unknown if it had the whole file") {
  for (const char* body : {"<html>502 Bad Gateway</html>", "", "[]", R"({"ok":true})"}) {
    CAPTURE(body);
    CHECK(judged({.status = 502, .body = body}) == "retryable chat_garbage unknown");
    CHECK(judged({.status = 502, .body = body, .is_early = true}) == "retryable chat_garbage");
    CHECK(judged({.status = 200, .body = body}) == "retryable chat_garbage unknown");
  }
  CHECK(judged({.status = 200, .body = R"({"ok":true,"result":{}})"}) ==
        "retryable chat_garbage unknown");
}

TEST_CASE(
    "Z-27: Telegram may have sent a file whose answer is its own trouble, unless it was early") {
  const auto reply = telegram_fault(500, "Internal Server Error", "");
  CHECK(judged({.status = reply.status, .body = reply.body}) ==
        "retryable chat_server_error unknown");
  CHECK(judged({.status = reply.status, .body = reply.body, .is_early = true}) ==
        "retryable chat_server_error");
}

TEST_CASE("S3-22: a file id that Telegram does not know any more is told apart") {
  const std::string text = "Bad Request: wrong file identifier/HTTP URL specified";
  CHECK(judged(400, text, "", SentAs::file_id) == "permanent stale_file_id");
  CHECK(judged(400, text, "", SentAs::bytes) == "permanent chat_refused");
  CHECK(judged(400, "Bad Request: chat not found", "", SentAs::file_id) ==
        "permanent chat_not_found");
}

TEST_CASE("S3-22: a file id that is refused in other words is stale, too: the bytes may pass") {
  const std::string text = "Bad Request: DOCUMENT_INVALID";
  CHECK(judged(400, text, "", SentAs::file_id) == "permanent stale_file_id");
  CHECK(judged(400, text, "", SentAs::bytes) == "permanent chat_refused");
  CHECK(judged({.status = 400, .body = "<html>"}, SentAs::file_id) == "permanent stale_file_id");
  CHECK(judged(403, "Forbidden: user is deactivated", "", SentAs::file_id) ==
        "permanent chat_forbidden");
}

TEST_CASE("a group that became a supergroup is sent to under its new id") {
  CHECK(judged(400, "Bad Request: group chat was upgraded to a supergroup chat",
               R"({"migrate_to_chat_id":-1001})") == "retryable chat_moved 1000 to -1001");
}

}  // namespace haul::telegram

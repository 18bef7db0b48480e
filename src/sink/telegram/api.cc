#include "sink/telegram/api.h"

#include <fmt/core.h>

#include <utility>

#include "sink/telegram/updates.h"

namespace haul::telegram {
namespace {

constexpr int kOpenMax = 64;
constexpr Millis kConnectTimeout{10'000};
constexpr std::int64_t kReadMax = std::int64_t{16} * 1'024;  // Most answers are short.

io::HttpRequest request_for(const BotAccess& access, const BotCall& call) {
  return {.method = "POST",
          .url = method_url(access, call.method),
          // Without an empty Expect, curl waits a second before it sends a long body.
          .headers = {"Content-Type: application/json", "Expect:"},
          .body = call.body,
          .user_agent = access.user_agent,
          .direct = !access.url.starts_with("https://"),  // A proxy would read the token.
          .ca_file = access.ca_file,
          .connect_timeout = kConnectTimeout,
          .head_timeout = call.within,
          .stall_timeout = call.within,
          .read_max = kReadMax,
          .reach = {.private_too = true, .allowed = {}}};
}

BotReply reply_to(const std::string& method, const io::HttpWhole& answer) {
  BotReply reply = read_reply(answer.head.status, answer.body);
  if (reply || method != "getUpdates" || answer.head.status != 200) return reply;
  const std::string mended = mended_updates(answer.body);
  return mended.empty() ? reply : read_reply(answer.head.status, mended);
}

}  // namespace

std::string method_url(const BotAccess& access, std::string_view method) {
  std::string_view url = access.url;
  while (url.ends_with('/')) url.remove_suffix(1);
  return fmt::format("{}/bot{}/{}", url, access.token, method);
}

BotApi::BotApi(io::HttpLoop& loop, BotAccess access) : access_{std::move(access)}, fetcher_{loop} {}

void BotApi::call(const BotCall& call, Then then) {
  if (open_ >= kOpenMax)
    return then(std::unexpected{ChatFault{
        .fault = {FaultKind::retryable, "chat_busy", "too many calls to Telegram are open"}}});
  ++open_;
  const io::HttpBounds bounds{.body_max = call.answer_max, .within = call.within};
  fetcher_.fetch(
      request_for(access_, call), bounds,
      [this, method = call.method, then = std::move(then)](const Result<io::HttpWhole>& answer) {
        --open_;
        then(answer ? reply_to(method, *answer)
                    : BotReply{std::unexpected{fault_without_reply(answer.error())}});
      });
}

}  // namespace haul::telegram

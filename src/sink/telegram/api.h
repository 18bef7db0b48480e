#pragma once
// Calls methods of Telegram's Bot API with JSON bodies. Lives on the loop's thread.

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "io/web/http_fetcher.h"
#include "sink/telegram/replies.h"

namespace haul::telegram {

struct BotAccess {
  std::string url;      // "https://api.telegram.org", or that of a local Bot API server.
  std::string token{};  // Part of every path, so no URL of a call may be logged.
  std::string ca_file{};
  std::string user_agent = "haul";
};

// The URL of a method: "http://127.0.0.1:8081/bot<token>/sendMessage". It contains the token.
std::string method_url(const BotAccess& access, std::string_view method);

struct BotCall {
  std::string method;       // "sendMessage"
  std::string body = "{}";  // A JSON object.
  Millis within{30'000};
  std::size_t answer_max = std::size_t{1} << 20U;

  bool operator==(const BotCall&) const = default;
};

class BotApi {
 public:
  using Then = std::function<void(BotReply)>;

  BotApi(io::HttpLoop& loop, BotAccess access);

  // Calls `then` once; not at all if this object ends first. Follows no redirect and repeats
  // nothing. At most 64 calls are open at once; one more is the fault `chat_busy`.
  void call(const BotCall& call, Then then);

 private:
  const BotAccess access_;
  io::HttpFetcher fetcher_;
  int open_ = 0;
};

}  // namespace haul::telegram

#include "sink/telegram/api.h"

#include <doctest/doctest.h>

#include <optional>

#include "support/io/fake_loop.h"
#include "support/server/fake_telegram.h"

namespace haul::telegram {
namespace {

using testing::FakeTelegram;

struct ApiScene {
  testing::HandClock clock;
  FakeTelegram telegram{clock};
  testing::FakeLoop loop{clock};
  BotApi api{loop, {.url = "http://telegram.test/", .token = telegram.token}};

  ApiScene() {
    loop.server = [this](const io::HttpRequest& sent) { return telegram.answer(sent); };
  }
  std::optional<BotReply> call(const std::string& method, const std::string& body) {
    std::optional<BotReply> got;
    api.call({.method = method, .body = body}, [&](BotReply reply) { got = std::move(reply); });
    loop.run();
    return got;
  }
  std::string fault(const std::string& method, const std::string& body) {
    const auto reply = call(method, body);
    if (!reply) return "no answer";
    return *reply ? "good" : reply->error().fault.code;
  }
};

constexpr const char* kHello = R"({"chat_id":7,"text":"hello"})";

}  // namespace

TEST_CASE("a call is a POST of JSON below the bot's token") {
  ApiScene s;
  const auto reply = s.call("sendMessage", kHello);
  REQUIRE(reply);
  REQUIRE(*reply);
  CHECK(s.telegram.shown(7, read_message_id(**reply)) == "hello");
  CHECK(method_url({.url = "http://a:1//", .token = "1:x"}, "getMe") == "http://a:1/bot1:x/getMe");
}

TEST_CASE("S3-19: a call to a server without TLS uses no proxy, which would read the token") {
  for (const std::string url : {"http://telegram.test", "https://telegram.test"}) {
    CAPTURE(url);
    testing::HandClock clock;
    testing::FakeLoop loop{clock};
    std::optional<bool> direct;
    loop.server = [&](const io::HttpRequest& sent) {
      direct = sent.direct;
      return testing::FakeReply{.body = R"({"ok":true,"result":true})"};
    };
    BotApi api{loop, {.url = url, .token = "1:a"}};
    api.call({.method = "getMe"}, [](const BotReply&) {});
    loop.run();
    CHECK((direct == url.starts_with("http:")));
  }
}

TEST_CASE("another token, an unknown method and a blocked bot are told as faults") {
  ApiScene s;
  CHECK(s.fault("getMe", "{}") == "good");
  CHECK(s.fault("fetchMe", "{}") == "chat_unauthorised");
  s.telegram.blocked.insert(7);
  CHECK(s.fault("sendMessage", kHello) == "chat_blocked");
  s.telegram.token = "1:other";
  CHECK(s.fault("getMe", "{}") == "chat_unauthorised");
}

TEST_CASE("a lost answer leaves the outcome unknown, and the call is not repeated") {
  ApiScene s;
  s.telegram.lose_next("sendMessage");
  const auto reply = s.call("sendMessage", kHello);
  REQUIRE(reply);
  REQUIRE_FALSE(*reply);
  CHECK(reply->error().outcome_unknown);
  CHECK(s.telegram.shown(7) == "hello");
  CHECK(s.telegram.calls == std::vector<std::string>{"sendMessage 7"});
}

TEST_CASE("a server that says nothing is given up after the call's time") {
  ApiScene s;
  s.telegram.mood.is = testing::FakeMood::Is::silent;
  std::string got = "nothing";
  s.api.call({.method = "getMe", .within = Millis{5'000}},
             [&](const BotReply& reply) { got = reply ? "good" : reply.error().fault.code; });
  s.loop.run();
  s.clock.pass(Millis{4'999});
  s.loop.run();
  CHECK(got == "nothing");
  s.clock.pass(Millis{1});
  s.loop.run();
  CHECK(got == "timeout");
}

TEST_CASE("at most 64 calls are open at once") {
  ApiScene s;
  s.telegram.mood.is = testing::FakeMood::Is::silent;
  std::string last;
  for (int i = 0; i < 64; ++i) s.api.call({.method = "getMe"}, [](const BotReply&) {});
  s.api.call({.method = "getMe"}, [&](const BotReply& reply) { last = reply.error().fault.code; });
  CHECK(last == "chat_busy");
}

}  // namespace haul::telegram

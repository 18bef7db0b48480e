#include "sink/server/calls.h"

#include <doctest/doctest.h>

#include "support/io/fake_loop.h"

namespace haul::media_server {
namespace {

using testing::FakeLoop;
using testing::FakeReply;
using testing::HandClock;

ServerAccess access() {
  return {.name = "Plex",
          .url = "http://plex:32400",
          .url_setting = "sink.plex.url",
          .token_setting = "sink.plex.token"};
}

// "fine", or the kind and the code.
std::string meaning(int status) {
  const auto fault = fault_of_status(access(), status);
  if (!fault) return "fine";
  return (fault->kind == FaultKind::environment ? "environment " : "retryable ") + fault->code;
}

}  // namespace

TEST_CASE("S1-19: no status means that a file was not found") {
  for (const int status : {200, 201, 204}) CHECK(meaning(status) == "fine");
  for (const int status : {401, 403}) CHECK(meaning(status) == "environment server_refused_token");
  for (const int status : {408, 429, 500, 502, 503, 504})
    CHECK(meaning(status) == "environment server_unreachable");
  for (const int status : {301, 302, 307, 400, 404, 410})
    CHECK(meaning(status) == "retryable server_garbage");
}

TEST_CASE("a fault says which setting to check") {
  CHECK(fault_of_status(access(), 401)->detail == "Plex answered 401: check sink.plex.token");
  CHECK(fault_of_status(access(), 302)->detail.ends_with("does not follow: check sink.plex.url"));
}

TEST_CASE("four requests at most are under way, and the rest waits its turn") {
  HandClock clock;
  FakeLoop loop{clock};
  loop.server = [](const io::HttpRequest&) { return FakeReply{.body = "ok"}; };
  loop.takes = Millis{10};
  ServerCalls calls{loop, access()};
  int answered = 0;
  for (int i = 0; i < 10; ++i)
    calls.ask({.target = "/a"}, [&](const Result<std::string>& body) { answered += body ? 1 : 0; });

  loop.run();
  CHECK(loop.asked == 4);
  for (int i = 0; i < 3; ++i) {
    clock.pass(Millis{10});
    loop.run();
  }
  CHECK(loop.asked == 10);
  CHECK(answered == 10);
}

TEST_CASE("an answer that is too long is not the server's trouble, a lost connection is") {
  HandClock clock;
  FakeLoop loop{clock};
  std::vector<std::string> troubles;
  ServerAccess told = access();
  told.on_trouble = [&](const Fault* fault) { troubles.push_back(fault ? fault->code : "well"); };
  ServerCalls calls{loop, told};
  const auto ask = [&](const FakeReply& reply) {
    std::string code = "fine";
    loop.server = [&](const io::HttpRequest&) { return reply; };
    calls.ask({.target = "/a", .body_max = 3}, [&](const Result<std::string>& body) {
      if (!body) code = body.error().code;
    });
    loop.run();
    return code;
  };

  CHECK(ask({.body = "abc"}) == "fine");
  CHECK(ask({.body = "abcd"}) == kTooLong);
  CHECK(troubles.empty());
  const FakeReply lost{.fault = Fault{FaultKind::retryable, "connection_lost", ""}};
  CHECK(ask(lost) == "server_unreachable");
  CHECK(ask(lost) == "server_unreachable");
  CHECK(ask({.status = 401}) == "server_refused_token");
  CHECK(ask({.body = "abc"}) == "fine");
  CHECK(troubles == std::vector<std::string>{"server_unreachable", "server_refused_token", "well"});
}

TEST_CASE("a 404 is a fault of its own where the call names one, and garbage elsewhere") {
  HandClock clock;
  FakeLoop loop{clock};
  loop.server = [](const io::HttpRequest&) { return FakeReply{.status = 404}; };
  ServerCalls calls{loop, access()};
  std::string codes;
  const auto note = [&](const Result<std::string>& body) {
    REQUIRE_FALSE(body.has_value());
    codes += body.error().code + " ";
  };
  calls.ask({.target = "/a", .not_found = "no_such_folder"}, note);
  calls.ask({.target = "/a"}, note);
  loop.run();
  CHECK(codes == "no_such_folder server_garbage ");
}

}  // namespace haul::media_server

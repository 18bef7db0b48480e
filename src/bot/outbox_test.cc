#include "bot/outbox.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

namespace haul::bot {
namespace {

using telegram::BotReply;
using telegram::ChatFault;

struct OutboxScene {
  Outbox outbox;
  Steady now{Millis{1'000'000}};
  std::int64_t number = 0;

  OutboxScene& after(int ms) {
    now += Millis{ms};
    return *this;
  }
  bool send(std::int64_t chat, const std::string& text) {
    return outbox.add(send_screen(chat, {text}));
  }
  bool edit(std::int64_t chat, std::int64_t message, const std::string& text, JobId job = {}) {
    return outbox.add(edit_screen(chat, message, {text}), job);
  }
  // The text of the next call that goes out; empty if none may.
  std::string next() {
    const auto due = outbox.next(now);
    if (!due) return "";
    number = due->number;
    const std::string& body = due->call.body;
    const std::size_t from = body.find(R"("text":")") + 8;
    return body.substr(from, body.find('"', from) - from);
  }
  OutboxEnd settle(const BotReply& reply = "true") { return outbox.settle(number, reply, now); }
};

BotReply fault(FaultKind kind, const std::string& code, int wait_ms = 0, bool unknown = false) {
  return std::unexpected{
      ChatFault{.fault = {kind, code, ""}, .wait = Millis{wait_ms}, .outcome_unknown = unknown}};
}

}  // namespace

TEST_CASE("calls to one chat go out in order, one by one and a second apart") {
  OutboxScene s;
  s.send(7, "a");
  s.send(7, "b");
  CHECK(s.next() == "a");
  CHECK(s.after(5'000).next().empty());  // The first one is under way.
  s.settle();
  CHECK(s.after(999).next().empty());
  CHECK(s.after(1).next() == "b");
  s.settle();
  CHECK(s.outbox.size() == 0);
}

TEST_CASE("chats take turns, and calls to different chats are 40 ms apart") {
  OutboxScene s;
  for (const std::int64_t chat : {7, 8}) s.send(chat, fmt::format("to {}", chat));
  CHECK(s.next() == "to 7");
  CHECK(s.after(39).next().empty());
  CHECK(s.after(1).next() == "to 8");
}

TEST_CASE("Z-12: a flood wait holds its chat only, and the call goes out again after it") {
  OutboxScene s;
  s.send(7, "a");
  CHECK(s.next() == "a");
  CHECK(s.settle(fault(FaultKind::retryable, "flood_wait", 30'000)).is == OutboxEnd::Is::again);
  s.send(8, "b");
  CHECK(s.after(40).next() == "b");
  s.settle();
  CHECK(s.after(29'959).next().empty());
  CHECK(s.after(1).next() == "a");
  CHECK(s.settle().is == OutboxEnd::Is::done);
}

TEST_CASE("a message that may have arrived is not sent again; an edit is") {
  OutboxScene s;
  s.send(7, "new");
  REQUIRE(s.next() == "new");
  CHECK(s.settle(fault(FaultKind::retryable, "timeout", 0, true)).is == OutboxEnd::Is::unknown);
  CHECK(s.outbox.size() == 0);
  s.edit(7, 5, "edited", JobId{3});
  REQUIRE(s.after(1'000).next() == "edited");
  const OutboxEnd end = s.settle(fault(FaultKind::retryable, "timeout", 0, true));
  CHECK(end.is == OutboxEnd::Is::again);
  CHECK(end.job == JobId{3});
  CHECK(s.after(1'999).next().empty());
  CHECK(s.after(1).next() == "edited");
}

TEST_CASE("a message that never got there is sent again, a refused one is not") {
  OutboxScene s;
  s.send(7, "a");
  REQUIRE(s.next() == "a");
  CHECK(s.settle(fault(FaultKind::retryable, "cannot_connect")).is == OutboxEnd::Is::again);
  REQUIRE(s.after(2'000).next() == "a");
  CHECK(s.settle(fault(FaultKind::permanent, "chat_blocked")).is == OutboxEnd::Is::failed);
  CHECK(s.outbox.size() == 0);
}

TEST_CASE("a call is tried eight times, and what the message shows already is done") {
  OutboxScene s;
  s.edit(7, 5, "a");
  for (int i = 1; i < 8; ++i) {
    REQUIRE(s.after(60'000).next() == "a");
    REQUIRE(s.settle(fault(FaultKind::retryable, "chat_server_error")).is == OutboxEnd::Is::again);
  }
  REQUIRE(s.after(60'000).next() == "a");
  CHECK(s.settle(fault(FaultKind::retryable, "chat_server_error")).is == OutboxEnd::Is::failed);
  s.edit(7, 5, "b");
  REQUIRE(s.after(1'000).next() == "b");
  CHECK(s.settle(fault(FaultKind::permanent, "not_modified")).is == OutboxEnd::Is::done);
}

TEST_CASE("a later edit replaces one that waits, but not one that is under way") {
  OutboxScene s;
  s.edit(7, 5, "10%");
  s.edit(7, 5, "20%");
  CHECK(s.outbox.size() == 1);
  REQUIRE(s.next() == "20%");
  s.edit(7, 5, "30%");
  s.edit(7, 6, "other");
  s.edit(7, 5, "40%");
  CHECK(s.outbox.size() == 3);
  s.settle();
  CHECK(s.after(1'000).next() == "40%");
  s.settle();
  CHECK(s.after(1'000).next() == "other");
}

TEST_CASE("an edit that replaces the one of a job keeps that job, which hears of its end") {
  OutboxScene s;
  s.edit(7, 5, "50%", JobId{3});
  s.edit(7, 5, "menu");
  REQUIRE(s.next() == "menu");
  CHECK(s.settle().job == JobId{3});
  s.edit(7, 5, "60%", JobId{3});
  s.edit(7, 5, "10%", JobId{4});
  REQUIRE(s.after(1'000).next() == "10%");
  CHECK(s.settle().job == JobId{4});
}

TEST_CASE("an answer to a click that hangs holds up no other, and is not repeated") {
  OutboxScene s;
  s.outbox.add(answer_click("c1", "one"));
  REQUIRE(s.next() == "one");
  const std::int64_t stuck = s.number;
  s.outbox.add(answer_click("c2", "two"));
  REQUIRE(s.after(40).next() == "two");
  CHECK(s.settle().is == OutboxEnd::Is::done);
  CHECK(s.outbox.settle(stuck, fault(FaultKind::retryable, "timeout", 0, true), s.now).is ==
        OutboxEnd::Is::failed);
  CHECK(s.outbox.size() == 0);
  CHECK(s.after(60'000).next().empty());
}

TEST_CASE("at most eight answers to clicks are under way at once") {
  OutboxScene s;
  for (int i = 0; i < 9; ++i) CHECK(s.outbox.add(answer_click("c", "x")));
  for (int i = 0; i < 8; ++i) REQUIRE(s.after(40).next() == "x");
  CHECK(s.after(40).next().empty());
  s.settle();
  CHECK(s.after(40).next() == "x");
}

TEST_CASE("a chat has at most 50 waiting calls; others are not affected") {
  OutboxScene s;
  for (int i = 0; i < 50; ++i) CHECK(s.send(7, "a"));
  CHECK_FALSE(s.send(7, "a"));
  CHECK(s.send(8, "a"));
}

}  // namespace haul::bot

// A file from a disk into a chat: sent once, or the intents say otherwise (document 003, promise
// 5).

#include <doctest/doctest.h>

#include <utility>

#include "support/script.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

const Sent kAck{.ack = R"({"message_id":7})"};

JobId downloading(Stage& s) {
  const JobId id = s.add(kRelay);
  s.tick();
  return id;
}

// The chat was asked to take the file.
JobId streaming(Stage& s) {
  const JobId id = downloading(s);
  s.reply("disk.start", Moving{.have = 1});
  return id;
}

// Takes a requeued relay to the chat again.
void stream_again(Stage& s, Millis after) {
  s.live(after);
  s.reply("disk.start", Moving{.have = 1});
}

}  // namespace

TEST_CASE("003: a file is claimed, read, streamed and delivered, and sent once") {
  Stage s;
  const JobId id = s.add(kRelay);

  s.tick();
  s.reply("disk.start", Moving{.have = 1});
  CHECK(s.trail(id) == "QUEUED > CLAIMED > DOWNLOADING > STREAMING");
  s.reply("chat.land", kAck);
  s.live(2min);

  CHECK(s.trail(id) == "QUEUED > CLAIMED > DOWNLOADING > STREAMING > DELIVERED");
  CHECK(s.event_types(id) == "ADDED MOVED MOVED MOVED MOVED");
  CHECK(s.asked() == "disk.start 1, chat.land 1");
  CHECK(s.intents(id) == "chat_send done");
  CHECK(s.job(id).result == R"({"message_id":7})");
  CHECK(s.job(id).seen.attempt == 0);
}

TEST_CASE("Z-21: the intent to send is written before the chat is asked") {
  Stage s;
  const JobId id = streaming(s);
  CHECK(s.count("chat.land") == 1);
  CHECK(s.intents(id) == "chat_send open");
}

TEST_CASE("S3-13: only the chat's own answer delivers, and only while a send is open") {
  Stage s;
  const JobId early = downloading(s);
  s.reply("disk.start", kAck);
  CHECK(s.state(early) == "DOWNLOADING");

  const JobId id = streaming(s);
  const Call send = s.last("chat.land");
  for (const What& other : std::initializer_list<What>{Moving{.have = 9}, whole("/x"), Landed{},
                                                       Stopped{}, Accepted{"m"}}) {
    s.push(send, other);
    s.tick();
  }
  CHECK(s.state(id) == "STREAMING");
}

TEST_CASE("S3-3, A3-1: the file of a user who is not ACTIVE is not even read") {
  Stage s;
  const UserId bob = s.store().users().add("bob", Role::adder, s.clock.now())->id;
  const JobId id = s.add(kRelay, {.owner = bob});
  CHECK(s.store().users().set(bob, UserStatus::blocked, Role::adder).has_value());

  s.tick();

  CHECK(s.trail(id) == "QUEUED > CLAIMED > FAILED");
  CHECK(s.job(id).reason == "user_inactive");
  CHECK(s.asked().empty());
}

TEST_CASE("S3-4, A3-12: a retryable fault queues it again, due in 2 s, then 4 s; the third fails") {
  Stage s;
  const JobId id = downloading(s);
  s.reply("disk.start", failed(FaultKind::retryable, "http_503"));
  CHECK(s.trail(id) == "QUEUED > CLAIMED > DOWNLOADING > QUEUED");
  CHECK(s.job(id).reason == "http_503");
  s.after(1'999ms);
  CHECK(s.state(id) == "QUEUED");
  s.after(1ms);
  CHECK(s.state(id) == "DOWNLOADING");

  s.reply("disk.start", failed(FaultKind::retryable, "http_503"));
  s.after(3'999ms);
  CHECK(s.state(id) == "QUEUED");
  CHECK(s.job(id).seen.attempt == 2);
  s.after(1ms);
  s.reply("disk.start", failed(FaultKind::retryable, "http_503"));
  CHECK(s.state(id) == "FAILED");
  CHECK(s.job(id).seen.attempt == 3);
}

TEST_CASE("S3-5, S3-12: not found, forbidden or too big fails at once") {
  Stage s;
  const JobId id = downloading(s);
  s.reply("disk.start", failed(FaultKind::permanent, "not_found"));
  CHECK(s.trail(id) == "QUEUED > CLAIMED > DOWNLOADING > FAILED");

  const JobId blocked = streaming(s);
  s.reply("chat.land", failed(FaultKind::permanent, "user_blocked"));
  CHECK(s.state(blocked) == "FAILED");
  CHECK(s.intents(blocked) == "chat_send failed");
}

TEST_CASE("promise 12: our surroundings queue it for 30 s and burn no attempt") {
  Stage s;
  const JobId id = downloading(s);
  s.reply("disk.start", failed(FaultKind::environment, "disk_full"));
  CHECK(s.trail(id) == "QUEUED > CLAIMED > DOWNLOADING > QUEUED");
  CHECK_FALSE(s.job(id).reason.empty());
  CHECK((s.job(id).due_at == s.clock.now() + 30s));
  CHECK(s.job(id).seen.attempt == 0);
  s.live(29'999ms);
  CHECK(s.count("disk.start") == 1);
  s.after(1ms);
  CHECK(s.count("disk.start") == 2);
}

TEST_CASE("promise 5: a send that is known to have failed is sent again without a flag") {
  Stage s;
  const JobId id = streaming(s);
  s.reply("chat.land", failed(FaultKind::retryable, "http_502"));
  stream_again(s, 2s);
  CHECK(s.intents(id) == "chat_send failed, chat_send open");
  CHECK(s.count("chat.land") == 2);
}

TEST_CASE("promise 5, F02: a send whose outcome is unknown is flagged before it is repeated") {
  Stage s;
  const JobId id = streaming(s);
  s.reply("chat.land", unknown_outcome());
  CHECK(s.intents(id) == "chat_send unknown");
  CHECK(s.count("chat.land") == 1);

  stream_again(s, 2s);
  CHECK(s.intents(id) == "chat_send unknown, chat_send open");
  CHECK(s.count("chat.land") == 2);
  s.reply("chat.land", kAck);
  CHECK(s.state(id) == "DELIVERED");
}

TEST_CASE("A3-7: with give_up an unknown outcome is never repeated: FAILED, delivery_unknown") {
  Stage s{{.on_unknown = OnUnknown::give_up}};
  const JobId id = streaming(s);
  s.reply("chat.land", unknown_outcome());
  stream_again(s, 2s);
  CHECK(s.state(id) == "FAILED");
  CHECK(s.job(id).reason == "delivery_unknown");
  CHECK(s.count("chat.land") == 1);
}

TEST_CASE("A3-7: with give_up a send that is known to have failed is repeated all the same") {
  Stage s{{.on_unknown = OnUnknown::give_up}};
  const JobId id = streaming(s);
  s.reply("chat.land", failed(FaultKind::retryable, "http_502"));
  stream_again(s, 2s);
  s.reply("chat.land", kAck);
  CHECK(s.state(id) == "DELIVERED");
}

TEST_CASE(
    "promise 5: a worker lost while sending leaves an unknown, and it is flagged, then sent") {
  for (const OnUnknown policy : {OnUnknown::resend, OnUnknown::give_up}) {
    Stage s{{.on_unknown = policy}};
    const JobId id = streaming(s);
    s.crash();
    s.hire();
    stream_again(s, 31s);
    const bool resend = policy == OnUnknown::resend;
    CHECK(s.intents(id) == (resend ? "chat_send unknown, chat_send open" : "chat_send unknown"));
    CHECK(s.count("chat.land") == (resend ? 2 : 1));
    CHECK(s.state(id) == (resend ? "STREAMING" : "FAILED"));
  }
}

TEST_CASE("promise 5: a worker lost between the stored answer and the move does not send again") {
  int commits_left = -1;
  Stage s{{}, [&](CommitPhase phase) {
            if (phase == CommitPhase::before && commits_left >= 0 && commits_left-- == 0)
              throw StoreFault{StoreFault::Kind::gone, "killed"};
          }};
  const JobId id = streaming(s);
  commits_left = 1;  // The answer is stored, the move is not.
  CHECK_THROWS_AS(s.reply("chat.land", kAck), StoreFault);
  CHECK(s.intents(id) == "chat_send done");
  CHECK(s.state(id) == "STREAMING");
  s.crash();
  s.hire();
  stream_again(s, 31s);

  CHECK(s.state(id) == "DELIVERED");
  CHECK(s.job(id).result == R"({"message_id":7})");
  CHECK(s.count("chat.land") == 1);
}

TEST_CASE(
    "S3-7, A3-5: a silent worker's relay is queued again after 30 s, not before, attempt + 1") {
  Stage s;
  const JobId id = downloading(s);
  s.crash();
  s.hire();
  s.tick();
  s.live(29'999ms);
  CHECK(s.trail(id) == "QUEUED > CLAIMED > DOWNLOADING");
  s.after(1ms);
  s.live(1s);
  CHECK(s.trail(id) == "QUEUED > CLAIMED > DOWNLOADING > QUEUED > CLAIMED > DOWNLOADING");
  CHECK(s.job(id).seen.attempt == 1);
}

TEST_CASE("S3-8: the second lost worker queues a relay again, the third fails it") {
  Stage s;
  const JobId id = downloading(s);
  for (int lost = 1; lost <= 3; ++lost) {
    CHECK(s.state(id) == "DOWNLOADING");
    s.crash();
    s.hire();
    s.live(32s);
    CHECK(s.job(id).seen.attempt == lost);
  }
  CHECK(s.state(id) == "FAILED");
  CHECK(s.job(id).reason == "worker_crashed");
}

TEST_CASE("promise 4: an answer to a lost worker does not deliver for its successor") {
  Stage s;
  const JobId id = streaming(s);
  const Call old = s.last("chat.land");
  s.crash();
  s.hire();
  stream_again(s, 31s);
  s.push(old, kAck);
  s.tick();
  CHECK(s.state(id) == "STREAMING");
  CHECK(s.intents(id) == "chat_send unknown, chat_send open");
}

TEST_CASE("S3-24: a chat that says nothing for 15 min leaves an unknown and counts an attempt") {
  Stage s;
  const JobId id = streaming(s);
  s.after(899'999ms);
  CHECK(s.state(id) == "STREAMING");
  s.after(1ms);
  CHECK(s.state(id) == "QUEUED");
  CHECK(s.job(id).reason == "no_answer");
  CHECK(s.job(id).seen.attempt == 1);
  CHECK(s.intents(id) == "chat_send unknown");
}

}  // namespace haul::testing

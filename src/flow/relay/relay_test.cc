// A file from a disk into a chat: sent once, or the intents say otherwise (document 003, promise
// 5).

#include <doctest/doctest.h>

#include <utility>

#include "support/flow/script.h"

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

// An answer of a server that asks haul to wait.
Failed busy(Millis wait) {
  Failed what = failed(FaultKind::retryable, "http_429");
  what.wait_ms = wait.count();
  return what;
}

// The reasons of its moves to a state, in order.
std::string reasons(Stage& s, JobId id, std::string_view to) {
  std::string text;
  for (const Event& event : s.store().events().of(id, {}, 100))
    if (event.type == "MOVED" && event.to == to)
      text += (text.empty() ? "" : ", ") + (event.reason.empty() ? "none" : event.reason);
  return text;
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
  CHECK(s.job(id).version.attempt == 0);
}

TEST_CASE("a file that was read whole and not taken by the chat is withdrawn from the disk") {
  Stage s;
  streaming(s);
  s.reply("disk.start", whole("/a"));
  s.asked();
  s.reply("chat.land", busy(1s));
  CHECK(s.asked() == "disk.stop 1");
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
  CHECK(s.job(id).version.attempt == 2);
  s.after(1ms);
  s.reply("disk.start", failed(FaultKind::retryable, "http_503"));
  CHECK(s.state(id) == "FAILED");
  CHECK(s.job(id).version.attempt == 3);
}

TEST_CASE("A3-12: a disk that asks for a longer wait than the backoff is asked when it is over") {
  Stage s;
  const JobId id = downloading(s);
  s.reply("disk.start", busy(10s));
  CHECK(s.job(id).version.attempt == 1);
  s.live(9'999ms);
  CHECK(s.state(id) == "QUEUED");
  s.after(1ms);
  CHECK(s.state(id) == "DOWNLOADING");
}

TEST_CASE("Z-12: a wait of 60 s for the chat stays in STREAMING, counts nothing and sends again") {
  Stage s;
  const JobId id = streaming(s);
  const Call first_read = s.last("disk.start");
  s.asked();
  s.reply("chat.land", busy(60s));
  CHECK(s.asked() == "disk.stop 1");
  CHECK(s.job(id).reason == "http_429");
  CHECK(s.intents(id) == "chat_send failed");
  s.live(59'999ms);
  CHECK(s.asked().empty());
  s.after(1ms);
  CHECK(s.asked() == "disk.start 1");  // The chat has taken the bytes of the first read.

  s.push(first_read, Moving{.have = 1});
  s.tick();
  CHECK(s.count("chat.land") == 1);
  s.reply("disk.start", Moving{.have = 1});
  CHECK(s.count("chat.land") == 2);
  s.reply("chat.land", kAck);
  CHECK(s.trail(id) == "QUEUED > CLAIMED > DOWNLOADING > STREAMING > DELIVERED");
  CHECK(s.event_types(id) == "ADDED MOVED MOVED MOVED MOVED");
  CHECK(s.job(id).version.attempt == 0);
  CHECK(s.intents(id) == "chat_send failed, chat_send done");
}

TEST_CASE("Z-12: a chat that asks for more than 60 s queues the relay for as long, attempt + 1") {
  Stage s;
  const JobId id = streaming(s);
  s.reply("chat.land", busy(60'001ms));
  CHECK(s.state(id) == "QUEUED");
  CHECK(s.job(id).version.attempt == 1);
  CHECK((s.job(id).due_at == s.clock.now() + 60'001ms));
}

TEST_CASE("Z-12: a relay that waits for the chat can be paused, and the wait is over then") {
  Stage s;
  const JobId id = streaming(s);
  s.reply("chat.land", busy(60s));
  REQUIRE(flow::pause(s.store(), id, s.clock.now()).wished);
  s.live(2s);
  CHECK(s.state(id) == "QUEUED");
  CHECK(s.job(id).paused);
  s.live(2min);
  CHECK(s.count("disk.start") == 1);
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
  CHECK(s.job(id).version.attempt == 0);
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
  Stage s{flow::Settings{}, {}, {.relay = {.on_unknown = flow::OnUnknown::give_up}}};
  const JobId id = streaming(s);
  s.reply("chat.land", unknown_outcome());
  CHECK(s.trail(id) == "QUEUED > CLAIMED > DOWNLOADING > STREAMING > FAILED");
  CHECK(s.job(id).reason == "delivery_unknown");
  CHECK(s.intents(id) == "chat_send unknown");
}

TEST_CASE("Z-27: with resend an event says that the second message may be one too many") {
  Stage s;
  const JobId id = streaming(s);
  s.reply("chat.land", unknown_outcome());
  stream_again(s, 2s);
  CHECK(reasons(s, id, "DOWNLOADING") == "none, delivery_unknown");

  // The second is known to have failed, so the third says nothing.
  s.reply("chat.land", failed(FaultKind::retryable, "http_502"));
  stream_again(s, 4s);
  CHECK(s.count("chat.land") == 3);
  CHECK(reasons(s, id, "DOWNLOADING") == "none, delivery_unknown, none");
}

TEST_CASE("Z-27: with pause an unknown outcome waits for the user, whose resume sends it again") {
  Stage s{flow::Settings{}, {}, {.relay = {.on_unknown = flow::OnUnknown::pause}}};
  const JobId id = streaming(s);
  s.reply("chat.land", unknown_outcome());
  CHECK(s.trail(id) == "QUEUED > CLAIMED > DOWNLOADING > STREAMING > QUEUED");
  CHECK(s.job(id).paused);
  CHECK(s.job(id).reason == "delivery_unknown");
  CHECK(s.job(id).version.attempt == 0);
  CHECK(s.intents(id) == "chat_send unknown, pause done");
  s.live(1min);
  CHECK(s.count("disk.start") == 1);

  REQUIRE(flow::resume(s.store(), id, s.clock.now()).done);
  stream_again(s, 1s);
  CHECK(s.intents(id) == "chat_send unknown, pause done, chat_send open");
  CHECK(s.count("chat.land") == 2);
  CHECK(reasons(s, id, "DOWNLOADING") == "none, delivery_unknown");

  s.reply("chat.land", unknown_outcome());  // The yes was for one message.
  CHECK(s.job(id).paused);
  CHECK(s.count("chat.land") == 2);
}

TEST_CASE("Z-27: with pause a send whose worker was lost waits for the user, and nothing is read") {
  Stage s{flow::Settings{}, {}, {.relay = {.on_unknown = flow::OnUnknown::pause}}};
  const JobId id = streaming(s);
  s.crash();
  s.hire();
  s.live(31s);
  CHECK(s.state(id) == "QUEUED");
  CHECK(s.job(id).paused);
  CHECK(s.intents(id) == "chat_send unknown, pause done");
  CHECK(s.count("disk.start") == 1);

  REQUIRE(flow::resume(s.store(), id, s.clock.now()).done);
  stream_again(s, 1s);
  CHECK(s.count("chat.land") == 2);
}

TEST_CASE("Z-27: with pause a send that is known to have failed is repeated without the user") {
  Stage s{flow::Settings{}, {}, {.relay = {.on_unknown = flow::OnUnknown::pause}}};
  streaming(s);
  s.reply("chat.land", failed(FaultKind::retryable, "http_502"));
  stream_again(s, 2s);
  CHECK(s.count("chat.land") == 2);
}

TEST_CASE("A3-7: with give_up a send that is known to have failed is repeated all the same") {
  Stage s{flow::Settings{}, {}, {.relay = {.on_unknown = flow::OnUnknown::give_up}}};
  const JobId id = streaming(s);
  s.reply("chat.land", failed(FaultKind::retryable, "http_502"));
  stream_again(s, 2s);
  s.reply("chat.land", kAck);
  CHECK(s.state(id) == "DELIVERED");
}

TEST_CASE(
    "promise 5: a worker lost while sending leaves an unknown, and it is flagged, then sent") {
  for (const flow::OnUnknown policy : {flow::OnUnknown::resend, flow::OnUnknown::give_up}) {
    Stage s{flow::Settings{}, {}, {.relay = {.on_unknown = policy}}};
    const JobId id = streaming(s);
    s.crash();
    s.hire();
    stream_again(s, 31s);
    const bool resend = policy == flow::OnUnknown::resend;
    CHECK(s.intents(id) == (resend ? "chat_send unknown, chat_send open" : "chat_send unknown"));
    CHECK(s.count("chat.land") == (resend ? 2 : 1));
    CHECK(s.state(id) == (resend ? "STREAMING" : "FAILED"));
  }
}

TEST_CASE("promise 5: a disk that fails while the chat sends does not end the send") {
  Stage s;
  const JobId id = streaming(s);
  s.asked();
  s.reply("disk.start", failed(FaultKind::retryable, "http_503"));
  CHECK(s.asked() == "chat.stop 1");
  CHECK(s.state(id) == "STREAMING");
  CHECK(s.intents(id) == "chat_send open");
  CHECK(s.worker().held() == 1);

  s.reply("chat.stop", kAck);  // The chat had the whole file.
  CHECK(s.trail(id) == "QUEUED > CLAIMED > DOWNLOADING > STREAMING > DELIVERED");
  CHECK(s.intents(id) == "chat_send done");
}

TEST_CASE("promise 5: a disk's failure counts when the chat has said what became of the send") {
  for (const bool unknown : {false, true}) {
    CAPTURE(unknown);
    Stage s;
    const JobId id = streaming(s);
    s.reply("disk.start", failed(FaultKind::retryable, "http_503"));
    s.reply("chat.stop", unknown ? What{unknown_outcome()} : What{Stopped{}});
    CHECK(s.state(id) == "QUEUED");
    CHECK(s.job(id).reason == "http_503");
    CHECK(s.job(id).version.attempt == 1);
    CHECK(s.intents(id) == (unknown ? "chat_send unknown" : "chat_send failed"));
    CHECK(s.count("chat.stop") == 1);
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
  CHECK(s.count("disk.start") == 1);
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
  CHECK(s.job(id).version.attempt == 1);
}

TEST_CASE("S3-8: the second lost worker queues a relay again, the third fails it") {
  Stage s;
  const JobId id = downloading(s);
  for (int lost = 1; lost <= 3; ++lost) {
    CHECK(s.state(id) == "DOWNLOADING");
    s.crash();
    s.hire();
    s.live(32s);
    CHECK(s.job(id).version.attempt == lost);
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
  CHECK(s.job(id).version.attempt == 1);
  CHECK(s.intents(id) == "chat_send unknown");
}

TEST_CASE("S3-24: a disk or a chat that says nothing for 15 min is told to stop before the retry") {
  Stage s;
  downloading(s);
  s.asked();
  s.after(900s);
  CHECK(s.asked() == "disk.stop 1");

  Stage t;
  const JobId id = streaming(t);
  t.asked();
  t.after(900s);
  CHECK(t.asked() == "chat.stop 1, disk.stop 1");
  CHECK(t.state(id) == "QUEUED");
}

TEST_CASE("promise 3: a disk that stops unasked is overdue after 15 min, and not held for ever") {
  Stage s;
  const JobId id = downloading(s);
  s.reply("disk.start", Stopped{});
  CHECK(s.state(id) == "DOWNLOADING");
  s.after(900s);
  CHECK(s.state(id) == "QUEUED");
}

}  // namespace haul::testing

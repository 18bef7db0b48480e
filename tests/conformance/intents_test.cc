// Intents: stored before an action that is not safe to repeat, and settled once (Z-21, F01).

#include <doctest/doctest.h>

#include "support/store/bench.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

Intents& intents(Bench& b) { return b.store().intents(); }

const NewIntent kSend{.kind = "telegram_send", .data = "chat 2"};

}  // namespace

TEST_CASE("Z-21: an intent is open, with what it was given") {
  Bench b;
  const JobId id = b.reach(kRelay, "STREAMING");

  const auto intent = intents(b).begin(b.hold(id), kSend, b.after(1s).now());

  REQUIRE(intent.has_value());
  CHECK((*intent == Intent{.id = intent->id,
                           .job = id,
                           .kind = "telegram_send",
                           .state = IntentState::open,
                           .data = "chat 2",
                           .created_at = b.now()}));
  CHECK((intents(b).of(id, 10) == std::vector{*intent}));
}

TEST_CASE(
    "F01: an open intent of the same kind is found again, also by the next worker, unchanged") {
  Bench b;
  const JobId id = b.reach(kRelay, "STREAMING");
  const Intent first = intents(b).begin(b.hold(id), kSend, b.now()).value();
  b.jobs().rescue({.worker = b.worker(), .beat = 0, .lifecycle = &kRelay}, {}, b.now());
  b.claim(kRelay);

  const NewIntent again{.kind = "telegram_send", .data = "chat 3"};
  CHECK((intents(b).begin(b.hold(id), again, b.after(1h).now()) == first));

  CHECK(intents(b).of(id, 10).size() == 1);
}

TEST_CASE("intents of another kind, or of another job, are others") {
  Bench b;
  const JobId one = b.reach(kRelay, "STREAMING");
  const JobId two = b.reach(kRelay, "STREAMING");
  const Intent first = intents(b).begin(b.hold(one), kSend, b.now()).value();

  CHECK(intents(b).begin(b.hold(one), {.kind = "delete"}, b.now())->id != first.id);
  CHECK(intents(b).begin(b.hold(two), kSend, b.now())->id != first.id);

  CHECK(intents(b).of(one, 10).size() == 2);
  CHECK(intents(b).of(two, 10).size() == 1);
}

TEST_CASE("Z-21: an intent is settled once, with its outcome; after that a new one may begin") {
  for (const IntentState state : {IntentState::done, IntentState::failed, IntentState::unknown}) {
    Bench b;
    const JobId id = b.reach(kRelay, "STREAMING");
    const Intent first = intents(b).begin(b.hold(id), kSend, b.now()).value();

    CHECK(intents(b).settle(first.id, state, "message 7", b.now()));
    CHECK_FALSE(intents(b).settle(first.id, IntentState::done, "message 8", b.now()));

    Intent settled = first;
    settled.state = state;
    settled.outcome = "message 7";
    CHECK((intents(b).of(id, 10) == std::vector{settled}));
    CHECK(intents(b).begin(b.hold(id), kSend, b.now())->id != first.id);
    CHECK(intents(b).of(id, 10).size() == 2);
  }
}

TEST_CASE("an intent cannot be settled as open, and one that does not exist not at all") {
  Bench b;
  const JobId id = b.reach(kRelay, "STREAMING");
  const Intent first = intents(b).begin(b.hold(id), kSend, b.now()).value();

  CHECK_FALSE(intents(b).settle(first.id, IntentState::open, "", b.now()));
  CHECK_FALSE(intents(b).settle(IntentId{99}, IntentState::done, "", b.now()));

  CHECK((intents(b).of(id, 10) == std::vector{first}));
}

TEST_CASE("F01: an intent outlives its job, and is settled all the same") {
  Bench b;
  const JobId id = b.reach(kRelay, "STREAMING");
  const Intent first = intents(b).begin(b.hold(id), kSend, b.now()).value();
  REQUIRE(b.ask(id, On::fail).has_value());

  CHECK(intents(b).of(id, 10).size() == 1);
  CHECK(intents(b).settle(first.id, IntentState::unknown, "", b.now()));
}

TEST_CASE("a user's wish needs no lease, and is found again while it is open") {
  Bench b;
  for (const JobId id : {b.add(kBook), b.reach(kBatch, "RUNNING")}) {
    const NewIntent cancel{.kind = "cancel"};

    const Intent first = intents(b).record(id, cancel, b.now()).value();

    CHECK((intents(b).record(id, cancel, b.now()) == first));
  }
}

TEST_CASE("a wish about an ended job, or none, is refused") {
  Bench b;
  const JobId ended = b.reach(kBook, "completed");

  CHECK(intents(b).record(ended, {.kind = "cancel"}, b.now()).error().code == "not_open");
  CHECK(intents(b).record(JobId{99}, {.kind = "cancel"}, b.now()).error().code == "not_open");

  CHECK(intents(b).of(ended, 10).empty());
}

TEST_CASE("an intent that forbids a pause is refused while the job is paused, and only then") {
  Bench b;
  const JobId id = b.add(kBook);
  const NewIntent hand_over{.kind = "hand_over", .unless_paused = true};
  REQUIRE(b.jobs().pause(b.version(id), b.now()).has_value());

  CHECK(intents(b).record(id, hand_over, b.now()).error().code == "paused");
  CHECK(intents(b).record(id, {.kind = "cancel"}, b.now()).has_value());
  CHECK_FALSE(intents(b).find_open(id, "hand_over").has_value());

  REQUIRE(b.jobs().resume(b.version(id), b.now()).has_value());
  CHECK(intents(b).record(id, hand_over, b.now()).has_value());
}

TEST_CASE("intents of a job are listed oldest first, at most the limit") {
  Bench b;
  const JobId id = b.reach(kRelay, "STREAMING");
  for (const char* kind : {"z", "a", "m"})
    REQUIRE(intents(b).begin(b.hold(id), {.kind = kind}, b.now()).has_value());

  std::string kinds;
  for (const Intent& intent : intents(b).of(id, 10)) kinds += intent.kind;
  CHECK(kinds == "zam");
  CHECK(intents(b).of(id, 2).size() == 2);
  CHECK(intents(b).of(JobId{99}, 10).empty());
}

TEST_CASE(
    "Z-21: open intents of one kind are found over all jobs, oldest first, at most the limit") {
  Bench b;
  const JobId one = b.reach(kRelay, "STREAMING");
  const JobId two = b.reach(kRelay, "STREAMING");
  const JobId three = b.add(kBook);
  const Intent settled = intents(b).begin(b.hold(one), kSend, b.now()).value();
  REQUIRE(intents(b).settle(settled.id, IntentState::done, "", b.now()));
  const Intent first = intents(b).begin(b.hold(two), kSend, b.now()).value();
  const Intent second = intents(b).begin(b.hold(one), kSend, b.now()).value();
  REQUIRE(intents(b).record(three, {.kind = "cancel"}, b.now()).has_value());

  CHECK((intents(b).open("telegram_send", 10) == std::vector{first, second}));
  CHECK((intents(b).open("telegram_send", 1) == std::vector{first}));
  CHECK(intents(b).open("cancel", 10).size() == 1);
  CHECK(intents(b).open("delete", 10).empty());
}

TEST_CASE("F01: the newest intent of a kind is found, however many the job has") {
  Bench b;
  const JobId id = b.reach(kRelay, "STREAMING");
  const JobId other = b.reach(kRelay, "STREAMING");
  CHECK_FALSE(intents(b).newest(id, kSend.kind).has_value());
  for (int i = 0; i < 1'001; ++i) {
    const Intent each = intents(b).begin(b.hold(id), kSend, b.now()).value();
    REQUIRE(intents(b).settle(each.id, IntentState::failed, "", b.now()));
  }

  const Intent last = intents(b).begin(b.hold(id), kSend, b.now()).value();
  REQUIRE(intents(b).begin(b.hold(id), {.kind = "delete"}, b.now()).has_value());
  REQUIRE(intents(b).begin(b.hold(other), kSend, b.now()).has_value());
  CHECK((intents(b).newest(id, kSend.kind) == last));
  CHECK_FALSE(intents(b).newest(id, "cancel").has_value());

  REQUIRE(intents(b).settle(last.id, IntentState::unknown, "", b.now()));
  CHECK((intents(b).newest(id, kSend.kind)->state == IntentState::unknown));
}

TEST_CASE("an open intent is found by its kind, however many were settled before it") {
  Bench b;
  const JobId id = b.reach(kRelay, "STREAMING");
  const JobId other = b.reach(kRelay, "STREAMING");
  REQUIRE(intents(b).record(other, {.kind = "pause"}, b.now()).has_value());
  for (int i = 0; i < 1'001; ++i) {
    const Intent wish = intents(b).record(id, {.kind = "pause"}, b.now()).value();
    REQUIRE(intents(b).settle(wish.id, IntentState::done, "", b.now()));
  }
  CHECK_FALSE(intents(b).find_open(id, "pause").has_value());

  const Intent wish = intents(b).record(id, {.kind = "pause"}, b.now()).value();
  CHECK((intents(b).find_open(id, "pause") == wish));
  CHECK_FALSE(intents(b).find_open(id, "cancel").has_value());
  CHECK((intents(b).open_of(id) == std::vector{wish}));
}

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

TEST_CASE("F01: an intent outlives its job: an act is unknown from then on, a wish stays open") {
  Bench b;
  const JobId id = b.reach(kRelay, "STREAMING");
  const Intent first = intents(b).begin(b.hold(id), kSend, b.now()).value();
  const Intent wish = intents(b).record(id, {.kind = "cancel"}, b.now()).value();
  REQUIRE(b.ask(id, On::fail).has_value());

  const std::vector<Intent> left = intents(b).of(id, 10);
  REQUIRE(left.size() == 2);
  CHECK((left[0].state == IntentState::unknown));
  CHECK(b.event_types(id).ends_with("MOVED OUTCOME_UNKNOWN"));
  CHECK_FALSE(intents(b).settle(first.id, IntentState::done, "", b.now()));
  CHECK(intents(b).settle(wish.id, IntentState::failed, "", b.now()));
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

  const auto without_data = [](Intent intent) {
    intent.data.clear();
    return intent;
  };
  CHECK((intents(b).open("telegram_send", 10) ==
         std::vector{without_data(first), without_data(second)}));
  CHECK((intents(b).open("telegram_send", 1) == std::vector{without_data(first)}));
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
  const std::vector<JobId> both{id, other};
  const auto known = intents(b).first_and_open(both);
  CHECK(known.at(0).size() == kIntentsPerJob + 1);
  CHECK((known.at(0).back() == wish));
  CHECK(known.at(1).size() == 1);
}

namespace {

const NewWish kSaid{.kind = kImportIntent,
                    .data = R"({"as":"S01"})",
                    .note = "IMPORT_ASKED",
                    .note_data = R"({"as":"S01","files":0})"};

void wait_until(Bench& b, JobId id, Time due) {
  const Observation later{.version = b.version(id), .worker = b.job(id).worker, .due_at = due};
  REQUIRE(b.jobs().observe({&later, 1}, b.now()).front());
}

}  // namespace

TEST_CASE("what a user wishes replaces the wish before it, and an event tells of each") {
  Bench b;
  const JobId id = b.add(kMedia);
  const Intent one = intents(b).wish(b.version(id), kSaid, b.now()).value();
  NewWish other = kSaid;
  other.data = "{}";

  const Intent two = intents(b).wish(b.version(id), other, b.after(1s).now()).value();

  CHECK((two == Intent{.id = two.id,
                       .job = id,
                       .kind = kImportIntent,
                       .state = IntentState::open,
                       .data = "{}",
                       .outcome = {},
                       .created_at = b.now()}));
  Intent replaced = one;
  replaced.state = IntentState::failed;
  replaced.outcome = "replaced";
  replaced.data.clear();
  CHECK((intents(b).of(id, 10) == std::vector{replaced, two}));
  CHECK((intents(b).newest(id, kImportIntent) == two));
  CHECK(b.event_types(id) == "ADDED IMPORT_ASKED IMPORT_ASKED");
  CHECK(b.store().events().of(id, {}, 10).back().data == kSaid.note_data);
}

TEST_CASE("what a user said is kept once, also if a worker has read what came before") {
  Bench b;
  const JobId id = b.add(kMedia);
  const Intent one = intents(b).wish(b.version(id), kSaid, b.now()).value();
  REQUIRE(intents(b).settle(one.id, IntentState::done, "read", b.now()));
  CHECK(intents(b).newest(id, kImportIntent)->data == kSaid.data);

  REQUIRE(intents(b).wish(b.version(id), kSaid, b.now()).has_value());

  const auto all = intents(b).of(id, 10);
  REQUIRE(all.size() == 2);
  CHECK(all[0].data.empty());
  CHECK((all[0].state == IntentState::done));
  CHECK(all[1].data == kSaid.data);
}

TEST_CASE("a wish makes its job due now if it says so, held or not") {
  for (const char* state : {"queued", "completed"})
    for (const bool makes_due : {false, true}) {
      Bench b;
      const JobId id = b.reach(kMedia, state);
      const WorkerId worker = b.job(id).worker;
      const Time later = b.now() + 1h;
      wait_until(b, id, later);
      NewWish wish = kSaid;
      wish.makes_due = makes_due;

      REQUIRE(intents(b).wish(b.version(id), wish, b.now()).has_value());

      CHECK((b.job(id).due_at == (makes_due ? b.now() : later)));
      CHECK((b.job(id).worker == worker));
    }
}

TEST_CASE("a wish never postpones a job") {
  Bench b;
  const JobId id = b.add(kMedia);
  const Time due = b.now();
  NewWish wish = kSaid;
  wish.makes_due = true;

  REQUIRE(intents(b).wish(b.version(id), wish, b.after(1h).now()).has_value());

  CHECK((b.job(id).due_at == due));
}

TEST_CASE("a wish about a job that has moved since is stale, and writes nothing") {
  Bench b;
  const JobId id = b.reach(kMedia, "completed");
  const JobVersion seen = b.version(id);
  REQUIRE(b.ask(id, On::landed).has_value());
  const std::string events = b.event_types(id);

  CHECK(intents(b).wish(seen, kSaid, b.now()).error().code == "stale");
  CHECK(intents(b)
            .wish({.id = {99}, .lifecycle = &kMedia, .state = "queued"}, kSaid, b.now())
            .error()
            .code == "no_such_job");
  REQUIRE(b.ask(id, On::fail).has_value());
  CHECK_FALSE(intents(b).wish(b.version(id), kSaid, b.now()).has_value());  // It has ended.

  CHECK(intents(b).of(id, 10).empty());
  CHECK(b.event_types(id) == events + " MOVED");
}

TEST_CASE("a wish stands when another worker takes the job") {
  Bench b;
  const JobId id = b.reach(kMedia, "completed");
  const JobVersion seen = b.version(id);
  b.jobs().rescue({.worker = b.worker(), .beat = 0, .lifecycle = &kMedia}, {}, b.now());
  b.claim(kMedia);
  REQUIRE(b.version(id).fence > seen.fence);

  CHECK(intents(b).wish(seen, kSaid, b.now()).has_value());
}

// Cancelling what runs outside: haul stores the cancel at once and grants it when the transfer has
// stopped.

#include <doctest/doctest.h>

#include <utility>

#include "flow/user/why.h"
#include "support/flow/script.h"
#include "support/store/counting_store.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

flow::CancelAnswer cancel(Stage& s, JobId id) {
  return haul::flow::cancel(s.store(), id, s.clock.now());
}

JobId downloading(Stage& s, const Lifecycle& table) {
  const JobId id = s.add(table);
  s.tick();
  s.reply("client.start", Accepted{.handle = "hash"});
  s.reply("client.look", Moving{.have = 1});
  s.asked();
  return id;
}

// A running batch with one item in transfer at each of the hosts.
JobId running(Stage& s, const std::vector<std::string>& hosts) {
  const JobId id = s.add(kBatch);
  s.tick();
  Planned planned;
  for (const std::string& host : hosts)
    planned.items.push_back({.key = host, .url = "https://" + host + "/x"});
  s.reply("http.plan", planned);
  s.asked();
  return id;
}

}  // namespace

TEST_CASE("S0-11, S0-12: a cancelled book stays as it is until its client has stopped it") {
  Stage s;
  const JobId id = downloading(s, kBook);

  const flow::CancelAnswer answer = cancel(s, id);
  CHECK(answer.wished);
  CHECK_FALSE(answer.moved);
  s.tick();
  CHECK(s.asked() == "client.stop 1");
  CHECK(s.state(id) == "downloading");
  CHECK(s.intents(id) == "hand_over done, cancel open");

  s.reply("client.stop", Stopped{});
  CHECK(s.trail(id) == "queued > downloading > canceled");
  CHECK(s.job(id).reason == "canceled");
  CHECK(s.intents(id) == "hand_over done, cancel done");
}

TEST_CASE("S0-12: a client that cannot stop it is asked again every 15 s, and the state stays") {
  Stage s;
  const JobId id = downloading(s, kBook);
  cancel(s, id);
  s.tick();

  s.reply("client.stop", failed(FaultKind::retryable, "client_unreachable"));
  s.after(14'999ms);
  CHECK(s.count("client.stop") == 1);
  s.after(1ms);
  CHECK(s.count("client.stop") == 2);
  CHECK(s.state(id) == "downloading");

  s.reply("client.stop", Stopped{});
  CHECK(s.state(id) == "canceled");
}

TEST_CASE("S0-12: a book that its client never got is cancelled at once, without the client") {
  for (const Lifecycle* table : {&kBook, &kMedia}) {
    CAPTURE(table->name);
    Stage s;
    s.lacks["client"] = "configure x";
    const JobId id = s.add(*table);
    s.tick();
    CHECK(cancel(s, id).wished);
    s.after(1s);

    CHECK(s.state(id) == (table == &kBook ? "canceled" : "failed"));
    CHECK(s.job(id).reason == "canceled");
    CHECK(s.intents(id) == "cancel done");
    CHECK(s.asked().empty());
  }
}

TEST_CASE("S0-12, Z-30: a book at a client that is not configured any more waits, and says so") {
  Stage s;
  const JobId id = downloading(s, kBook);
  s.lacks["client"] = "configure x";
  CHECK(cancel(s, id).wished);
  s.tick();
  s.reply("client.stop", Failed{.fault = {FaultKind::environment, "not_configured", "configure x"},
                                .checkpoint = {}});

  CHECK(s.state(id) == "downloading");
  const auto why = flow::explain(s.store(), id, s.clock.now(), {}, s.worker().all_work());
  CHECK(why->code == "cancel_asked");
  CHECK(why->because ==
        "the client must confirm that it stopped, but is not configured: configure x");
  s.live(15s);
  CHECK(s.count("client.stop") == 2);
  s.reply("client.stop", Stopped{});
  CHECK(s.state(id) == "canceled");
}

TEST_CASE("S0-11: a cancel that comes between a look's read and its write is seen in a second") {
  ReadCounts reads;
  Stage s{std::make_unique<CountingStore>(open_test_store(Bench::kStart), reads), {}};
  const JobId id = downloading(s, kBook);
  bool was_read = false;
  reads.on_read = [&](const std::string& read) {
    if (read == "reader.requests" && !std::exchange(was_read, true)) CHECK(cancel(s, id).wished);
  };
  s.after(15s);
  REQUIRE(s.intents(id) == "hand_over done, cancel open");
  CHECK(s.count("client.stop") == 0);

  s.after(1s);
  CHECK(s.count("client.stop") == 1);
  s.live(14s);
  CHECK(s.count("client.stop") == 1);  // And every 15 s from then on.
  s.live(1s);
  CHECK(s.count("client.stop") == 2);
}

TEST_CASE("S0-11: a cancel makes the job due, also if the job moves meanwhile") {
  ReadCounts reads;
  Bench b{std::make_unique<CountingStore>(open_test_store(Bench::kStart), reads)};
  const JobId id = b.add(kBook);
  const Observation late{.version = b.version(id), .worker = {}, .due_at = b.now() + 1h};
  REQUIRE(b.jobs().observe({&late, 1}, b.now()).front());
  bool was_read = false;
  reads.on_read = [&](const std::string& read) {
    if (read != "reader.find" || std::exchange(was_read, true)) return;
    Ask started = b.draft(id, On::started);
    started.due_at = b.now() + 1h;
    REQUIRE(b.ask(started).has_value());
  };

  CHECK(haul::flow::cancel(b.store(), id, b.now()).wished);

  CHECK(b.version(id).state == "downloading");
  CHECK((b.job(id).due_at == b.now()));
}

TEST_CASE("promise 15: a batch that is due and was given back is cancelled before it is claimed") {
  for (const bool is_cancelled : {true, false}) {
    CAPTURE(is_cancelled);
    Stage s;
    s.tick();
    const JobId id = s.add(kBatch);
    const NewIntent wish{.kind = kCancelIntent, .data = {}};
    if (is_cancelled) REQUIRE(s.store().intents().record(id, wish, s.clock.now()).has_value());

    s.worker().wake();
    s.worker().wait(0ms);
    s.tick();

    CHECK(s.trail(id) == (is_cancelled ? "PENDING > CANCELLED" : "PENDING > RUNNING"));
    CHECK(s.count("http.plan") == (is_cancelled ? 0U : 1U));
  }
}

TEST_CASE("S0-11: while a cancel waits, nothing else the client says counts") {
  Stage s;
  const JobId id = downloading(s, kBook);
  const Call look = s.last("client.look");
  cancel(s, id);

  for (const What& what : std::initializer_list<What>{
           whole("/d/1"), Missing{}, failed(FaultKind::permanent, "engine_error")}) {
    s.push(look, what);
    s.tick();
  }

  CHECK(s.state(id) == "downloading");
  CHECK(s.store().catalog().assets_of(id).empty());
}

TEST_CASE("S0-12: a Stopped that haul did not ask for cancels nothing") {
  Stage s;
  const JobId id = downloading(s, kBook);
  s.push(s.last("client.look"), Stopped{});
  s.tick();
  CHECK(s.state(id) == "downloading");
}

TEST_CASE("promise 1: a wish to cancel outlives the worker, before and after the client was told") {
  Stage s;
  const JobId id = downloading(s, kBook);
  cancel(s, id);
  s.crash();
  s.hire();
  s.live(11s);
  CHECK(s.asked() == "client.stop 1");
  s.crash();
  s.hire();
  s.live(15s);
  CHECK(s.asked() == "client.stop 1");

  s.reply("client.stop", Stopped{});
  CHECK(s.state(id) == "canceled");
}

TEST_CASE("J24: cancelled twice is one wish; an ended job refuses and names its state") {
  Stage s;
  const JobId id = downloading(s, kBook);
  CHECK(cancel(s, id).wished);
  CHECK(cancel(s, id).wished);
  CHECK(s.intents(id) == "hand_over done, cancel open");
  s.tick();
  s.reply("client.stop", Stopped{});

  const flow::CancelAnswer late = cancel(s, id);
  CHECK(late.refusal->code == "cannot_cancel");
  CHECK(late.refusal->detail == "canceled");
  CHECK((late.refusal->kind == RefusalKind::forbidden));
  CHECK(cancel(s, JobId{99}).refusal->code == "no_such_job");
}

TEST_CASE("A1-7: a cancelled film ends failed with reason canceled, once its client has stopped") {
  Stage s;
  const JobId id = downloading(s, kMedia);
  CHECK(cancel(s, id).wished);
  s.tick();
  s.reply("client.stop", Stopped{});
  CHECK(s.trail(id) == "queued > downloading > failed");
  CHECK(s.job(id).reason == "canceled");
}

TEST_CASE("A1-7: a film that is being imported is cancelled when the import has stopped") {
  Stage s;
  const JobId id = downloading(s, kMedia);
  s.push(s.last("client.look"), whole("/d/1"));
  s.tick();
  CHECK(s.state(id) == "completed");
  s.asked();

  CHECK(cancel(s, id).wished);
  s.after(1s);
  CHECK(s.asked() == "library.stop 1");
  CHECK(s.state(id) == "completed");
  s.reply("library.stop", Stopped{});
  CHECK(s.trail(id) == "queued > downloading > completed > failed");
  CHECK(s.intents(id) == "hand_over done, cancel done");
  CHECK(s.worker().held() == 0);

  s.reply("library.land", landed("/lib/1"));
  s.live(30s);
  CHECK(s.trail(id) == "queued > downloading > completed > failed");
}

TEST_CASE("A1-7: an import that does not stop is left alone 2 s after the cancel, and not before") {
  Stage s;
  const JobId id = downloading(s, kMedia);
  s.push(s.last("client.look"), whole("/d/1"));
  s.tick();

  CHECK(cancel(s, id).wished);
  s.after(1s);
  s.after(999ms);
  CHECK(s.state(id) == "completed");
  s.after(1ms);
  CHECK(s.state(id) == "failed");
}

TEST_CASE("S2-12, S2-13: a running batch stops its transfers, gives its slots back, is CANCELLED") {
  Stage s;
  const JobId id = running(s, {"a", "b"});
  CHECK(s.host_slots("a") == 1);

  CHECK(cancel(s, id).wished);
  CHECK(s.state(id) == "RUNNING");
  s.after(1s);

  CHECK(s.asked() == "http.stop 1.1, http.stop 1.2");
  CHECK(s.trail(id) == "PENDING > RUNNING > CANCELLED");
  CHECK(s.items(id) == "CANCELLED CANCELLED");
  CHECK(s.host_slots("a") == 0);
  CHECK(s.host_slots("b") == 0);
  CHECK(s.worker().held() == 0);
  CHECK(s.intents(id) == "cancel done, clear open");
  s.after(1s);
  CHECK(s.asked() == "http.stop 1");  // What carries the job's name, whether or not a row knows it.
  CHECK(s.intents(id) == "cancel done, clear done");
}

TEST_CASE("promise 1: 1,000 cancels that wait for a silent client do not hide a later one") {
  Stage s;
  const JobId id = running(s, {"a"});
  for (int i = 0; i < 1'000; ++i) {
    const JobId book = s.add(kBook);
    REQUIRE(s.store().intents().record(book, {.kind = kHandOverIntent, .data = {}}, s.clock.now()));
    CHECK(cancel(s, book).wished);
  }
  CHECK(cancel(s, id).wished);

  s.after(1s).after(1s);

  CHECK(s.state(id) == "CANCELLED");
  CHECK(s.state(JobId{id.value + 1}) == "queued");  // The client has not answered.
  CHECK(s.intents(JobId{id.value + 1000}).ends_with("cancel open"));
}

TEST_CASE("S2-18: a cancelled batch tells JOB_CANCELLED, then JOB_DONE, then nothing") {
  Stage s;
  const JobId id = running(s, {"a"});
  const Call start = s.last("http.start");
  cancel(s, id);
  s.after(1s);
  s.push(start, whole("/in/a"));
  s.live(10s);
  CHECK(s.event_types(id) == "JOB_ADDED MOVED JOB_STARTED MOVED JOB_CANCELLED JOB_DONE");
}

TEST_CASE("promise 2: a batch that ends before its cancel is seen stays as it ended") {
  Stage s;
  const JobId id = running(s, {"a"});
  cancel(s, id);
  s.clock.pass(1s);
  s.reply("http.start", whole("/in/a"));
  CHECK(s.trail(id) == "PENDING > RUNNING > COMPLETED");
  s.live(2s);
  CHECK(s.intents(id) == "cancel failed");
}

TEST_CASE("S2-13: what was finished before the cancel stays finished") {
  Stage s;
  const JobId id = running(s, {"a", "b"});
  s.reply("http.start", whole("/in/b"));
  cancel(s, id);
  s.after(1s);
  CHECK(s.items(id) == "CANCELLED COMPLETED");
  const Counts counts = s.store().items().counts(id);
  CHECK(counts.downloaded == 1);
  CHECK(counts.cancelled == 1);
  CHECK(counts.failed == 0);
}

TEST_CASE(
    "S2-4, Z-8: a batch that no worker runs is cancelled at once, also one that was given back") {
  Stage s;
  const JobId fresh = s.add(kBatch);
  CHECK(cancel(s, fresh).moved);
  CHECK(s.trail(fresh) == "PENDING > CANCELLED");

  const JobId given_back = running(s, {"a"});
  s.worker().stop();
  CHECK(cancel(s, given_back).moved);
  CHECK(s.trail(given_back) == "PENDING > RUNNING > PENDING > CANCELLED");
}

TEST_CASE("promise 15: a batch whose worker died is cancelled once it is rescued, not run again") {
  Stage s;
  const JobId id = running(s, {"a"});
  cancel(s, id);
  s.crash();
  s.hire();
  s.live(7'999ms);
  CHECK(s.state(id) == "RUNNING");

  s.live(3s);
  CHECK(s.trail(id) == "PENDING > RUNNING > PENDING > CANCELLED");
  CHECK(s.asked() == "http.stop 1");
  CHECK(s.count("http.plan") == 1);
}

TEST_CASE("A3-8: a relay is cancelled while QUEUED and never after; an image never") {
  Stage s;
  const JobId queued = s.add(kRelay, {.paused = true});
  CHECK(cancel(s, queued).moved);
  CHECK(s.trail(queued) == "QUEUED > CANCELLED");

  const JobId claimed = s.add(kRelay);
  s.tick();
  CHECK(cancel(s, claimed).refusal->code == "cannot_cancel");
  const JobId image = s.add(kImage);
  CHECK(cancel(s, image).refusal->code == "cannot_cancel");
  CHECK(s.state(image) == "queued");
}

TEST_CASE("S2-13: a batch is cancelled when its listing has stopped, or after 2 s at the latest") {
  for (const bool answers : {true, false}) {
    Stage s;
    s.http_answers_stops = false;
    const JobId id = s.add(kBatch);
    s.tick();
    const Call plan = s.last("http.plan");
    cancel(s, id);
    s.after(1s);
    CHECK(s.asked() == "http.plan 1, http.stop 1");
    s.after(999ms);
    CHECK(s.state(id) == "RUNNING");
    CAPTURE(answers);
    if (answers) {
      s.push(plan, Stopped{});
      s.tick();
    } else {
      s.after(1ms);
    }
    CHECK(s.trail(id) == "PENDING > RUNNING > CANCELLED");
  }
}

}  // namespace haul::testing

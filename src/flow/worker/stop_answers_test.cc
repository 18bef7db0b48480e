// What an engine or a sink says after it was told to stop. A job that is being stopped begins
// nothing new, and loses nothing that it has paid for.

#include <doctest/doctest.h>

#include <initializer_list>

#include "support/flow/script.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

// The worker handles wishes at its next tick instead of at its next sweep.
void wake(Stage& s) {
  s.worker().wake();
  s.worker().wait(0ms);
  s.tick();
}

void cancel(Stage& s, JobId id) {
  REQUIRE(haul::flow::cancel(s.store(), id, s.clock.now()).wished);
  wake(s);
}

void pause(Stage& s, JobId id) {
  REQUIRE(haul::flow::pause(s.store(), id, s.clock.now()).wished);
  wake(s);
}

void resume(Stage& s, JobId id) {
  REQUIRE(haul::flow::resume(s.store(), id, s.clock.now()).done);
  s.tick();
}

// A film that is being imported.
JobId importing(Stage& s) {
  const JobId id = s.add(kMedia);
  s.tick();
  s.reply("client.start", Accepted{.handle = "hash"});
  s.reply("client.look", whole("/d/film"));
  return id;
}

JobId proving(Stage& s) {
  const JobId id = importing(s);
  s.reply("library.land", landed("/lib/film"));
  return id;
}

// A relay whose disk reads its file.
JobId reading(Stage& s) {
  const JobId id = s.add(kRelay);
  s.tick();
  return id;
}

// An image that the provider was asked for.
JobId paying(Stage& s) {
  const JobId id = s.buy(4);
  s.tick();
  return id;
}

}  // namespace

TEST_CASE("A1-7: a film that lands when it is to be cancelled is not verified any more") {
  Stage s;
  const JobId id = importing(s);
  cancel(s, id);

  s.reply("library.land", landed("/lib/film"));
  s.live(5s);

  CHECK(s.count("library.verify") == 0);
  CHECK(s.trail(id) == "queued > downloading > completed > imported > failed");
  CHECK(s.intents(id) == "hand_over done, cancel done");
}

TEST_CASE("promise 11: a proof that comes when a film is to be cancelled removes no source") {
  Stage s;
  const JobId id = proving(s);
  cancel(s, id);

  s.reply("library.verify", indexed("/lib/film"));
  s.live(5s);

  CHECK(s.count("library.clean") == 0);
  CHECK(s.trail(id) == "queued > downloading > completed > imported > failed");
}

TEST_CASE("a film that is not indexed yet when it is to be paused does not wait for it first") {
  Stage s;
  const JobId id = proving(s);
  pause(s, id);

  s.reply("library.verify", NotIndexed{});

  CHECK(s.job(id).paused);
  CHECK_FALSE(s.job(id).reason == "not_indexed");
  s.live(2min);
  CHECK(s.count("library.verify") == 1);
}

TEST_CASE("promise 2: a film whose source is removed before the stop arrives is done") {
  Stage s;
  const JobId id = proving(s);
  s.reply("library.verify", indexed("/lib/film"));
  cancel(s, id);

  s.reply("library.clean", Cleaned{.outcome = "deleted"});
  s.live(2s);

  CHECK(s.state(id) == "cleaned");
  CHECK(s.intents(id) == "hand_over done, clean done, cancel failed");
}

TEST_CASE("Z-21: a clean that a pause gave up on stays open, and the next worker settles it") {
  Stage s;
  const JobId id = proving(s);
  s.reply("library.verify", indexed("/lib/film"));
  pause(s, id);
  s.live(2s);
  REQUIRE(s.job(id).paused);
  CHECK(s.intents(id) == "hand_over done, clean open, pause done");

  resume(s, id);
  s.reply("library.verify", indexed("/lib/film"));
  s.reply("library.clean", Cleaned{.outcome = "already_gone"});

  CHECK(s.state(id) == "cleaned");
  CHECK(s.intents(id) == "hand_over done, clean done, pause done");
}

TEST_CASE("promise 5: a relay that is to be paused does not begin to send") {
  Stage s;
  const JobId id = reading(s);
  pause(s, id);

  s.reply("disk.start", Moving{.have = 1});
  s.reply("disk.start", whole("/spool/1"));

  CHECK(s.count("chat.land") == 0);
  CHECK(s.state(id) == "QUEUED");
  CHECK(s.job(id).paused);
}

TEST_CASE("promise 5: bytes that come in the mail of a shutdown are not sent") {
  Stage s;
  const JobId id = reading(s);
  s.push(s.last("disk.start"), Moving{.have = 1});

  CHECK_FALSE(s.worker().wind_down());
  s.worker().stop();

  CHECK(s.count("disk.stop") == 1);
  CHECK(s.count("chat.land") == 0);
  CHECK(s.intents(id).empty());
  CHECK(s.state(id) == "QUEUED");
}

TEST_CASE("Z-8: a disk that cannot stop at a shutdown costs the relay no attempt") {
  Stage s;
  const JobId id = reading(s);
  CHECK_FALSE(s.worker().wind_down());

  s.push(s.last("disk.stop"), failed(FaultKind::permanent, "connection_lost"));
  CHECK(s.worker().wind_down());
  s.worker().stop();

  CHECK(s.state(id) == "QUEUED");
  CHECK(s.job(id).version.attempt == 0);
}

TEST_CASE("promise 3: what the disk says about its stop is no answer of the chat") {
  for (const What& what :
       std::initializer_list<What>{Stopped{}, failed(FaultKind::retryable, "connection_lost")}) {
    Stage s;
    const JobId id = reading(s);
    s.reply("disk.start", Moving{.have = 1});
    pause(s, id);

    s.reply("disk.stop", what);
    s.live(10s);
    CHECK(s.state(id) == "STREAMING");
    CHECK(s.intents(id) == "chat_send open, pause open");

    s.reply("chat.stop", Stopped{});
    CHECK(s.state(id) == "QUEUED");
    CHECK(s.intents(id) == "chat_send failed, pause done");
  }
}

TEST_CASE("a chat that sends a file which the disk cannot read any more is told to stop, once") {
  Stage s;
  const JobId id = reading(s);
  s.reply("disk.start", Moving{.have = 1});
  s.asked();

  s.reply("disk.start", failed(FaultKind::permanent, "not_found"));
  CHECK(s.asked() == "chat.stop 1");
  s.reply("chat.stop", Stopped{});

  CHECK(s.state(id) == "FAILED");
  CHECK(s.asked().empty());
}

TEST_CASE("A4-13: an image that is done when it is to be paused is asked for again by its handle") {
  Stage s;
  const JobId id = paying(s);
  s.reply("images.start", Accepted{.handle = "call-1"});
  pause(s, id);

  s.reply("images.start", whole("https://p/1"));
  CHECK(s.job(id).paused);
  CHECK(s.count("bucket.land") == 0);

  resume(s, id);
  s.reply("images.look", whole("https://p/1"));
  s.reply("bucket.land", landed("/originals/1.png"));
  CHECK(s.state(id) == "completed");
  CHECK(s.count("images.start") == 1);
  CHECK(s.intents(id) == "paid_call done, pause done");
}

TEST_CASE("A4-13: a paid call that gets its handle when it is to be paused is left alone then") {
  Stage s;
  const JobId id = paying(s);
  pause(s, id);
  s.asked();

  CHECK_FALSE(s.job(id).paused);
  s.reply("images.start", Accepted{.handle = "call-1"});
  CHECK(s.asked().empty());
  CHECK(s.job(id).paused);

  resume(s, id);
  CHECK(s.asked() == "images.look 1");
}

TEST_CASE("promise 5: a paid image without a handle reaches the bucket before it could be paused") {
  Stage s;
  const JobId id = paying(s);
  pause(s, id);
  s.live(10s);

  s.reply("images.start", whole("https://p/1"));
  s.live(10s);
  CHECK(s.state(id) == "running");
  CHECK(s.count("bucket.land") == 1);
  CHECK(s.count("bucket.stop") == 0);

  s.reply("bucket.land", landed("/originals/1.png"));
  CHECK(s.state(id) == "completed");
  s.live(2s);
  CHECK(s.intents(id) == "paid_call done, pause failed");
  CHECK(s.wallet().spent == 4);
}

TEST_CASE("S4-10: the refusal of a paid call that a pause waited for counts") {
  Stage s;
  const JobId id = paying(s);
  pause(s, id);

  s.reply("images.start", failed(FaultKind::rejected, "nsfw"));

  CHECK(s.state(id) == "rejected");
  CHECK(s.wallet().spent == 4);
}

TEST_CASE("promise 5: a shutdown that waits for a paid call without a handle keeps its image") {
  Stage s;
  const JobId id = paying(s);
  CHECK_FALSE(s.worker().wind_down());

  s.push(s.last("images.start"), whole("https://p/1"));
  CHECK_FALSE(s.worker().wind_down());
  s.push(s.last("bucket.land"), landed("/originals/1.png"));
  CHECK(s.worker().wind_down());
  s.worker().stop();

  CHECK(s.state(id) == "completed");
  CHECK(s.count("images.stop") + s.count("bucket.stop") == 0);
}

TEST_CASE("S2-12: an item that is fetched after the stop does not land any more") {
  Stage s;
  s.http_answers_stops = false;
  const JobId id = s.add(kBatch);
  s.tick();
  s.reply("http.plan", Planned{.items = {{.key = "a", .url = "https://h/a"}}});
  cancel(s, id);

  s.reply("http.start", Fetched{.path = "/in/a", .size = 10, .checkpoint = "{}"});
  s.after(1'500ms);

  CHECK(s.state(id) == "CANCELLED");
  CHECK(s.count("http.land") == 0);
}

// A batch with one item, cancelled 1.5 s ago while the engine put the item's file in its place.
JobId cancelled_while_landing(Stage& s) {
  s.http_answers_stops = false;
  const JobId id = s.add(kBatch);
  s.tick();
  s.reply("http.plan", Planned{.items = {{.key = "a", .url = "https://h/a"}}});
  s.reply("http.start", Fetched{.path = "/in/a", .size = 10, .checkpoint = "{}"});
  REQUIRE(s.count("http.land") == 1);
  cancel(s, id);
  s.after(1'500ms);
  CHECK(s.state(id) == "RUNNING");
  return id;
}

TEST_CASE(
    "S2-12, S2-7: a file that reaches its place after the cancel is completed, not cancelled") {
  Stage s;
  const JobId id = cancelled_while_landing(s);

  s.live(10s);
  s.reply("http.land", whole("/in/a"));
  s.tick();

  CHECK(s.state(id) == "CANCELLED");
  const Counts counts = s.store().items().counts(id);
  CHECK(counts.downloaded == 1);
  CHECK(counts.cancelled == 0);
}

TEST_CASE("S2-12: a disk that hangs delays a cancel by 30 s, and not for ever") {
  Stage s;
  const JobId id = cancelled_while_landing(s);

  s.live(29s);
  s.after(999ms);
  CHECK(s.state(id) == "RUNNING");
  s.after(1ms);

  CHECK(s.state(id) == "CANCELLED");
  CHECK(s.store().items().counts(id).cancelled == 1);
}

}  // namespace haul::testing

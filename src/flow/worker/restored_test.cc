// Z-31, F56: a restored store sends, pays, deletes and adds nothing at a client until an admin
// clears it. Reads, proofs and downloads go on.

#include "flow/worker/restored.h"

#include <doctest/doctest.h>

#include "flow/user/why.h"
#include "support/flow/script.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

struct RestoredStage : Stage {
  RestoredStage() { restore(); }

  void restore() { store().identity().mark_restored(clock.now()); }
  void clear() { CHECK(store().identity().clear_restored(kAdmin, clock.now())); }
  std::string why(JobId id) {
    return flow::explain(store(), id, clock.now(), flow::Settings{})->code;
  }
};

// A book that the client fetches.
JobId downloading(Stage& s) {
  const JobId id = s.add(kBook);
  s.tick();
  s.reply("client.start", Accepted{.handle = "hash"});
  s.reply("client.look", Moving{.have = 1});
  return id;
}

}  // namespace

TEST_CASE("Z-31: in a restored store no torrent is added at a client until an admin clears it") {
  for (const Lifecycle* table : {&kBook, &kMedia}) {
    CAPTURE(table->name);
    RestoredStage s;
    const JobId id = s.add(*table);

    s.live(2min);
    CHECK(s.asked().empty());
    CHECK(s.why(id) == "restored");
    CHECK(s.intents(id).empty());

    s.clear();
    CHECK(s.why(id) == "not_handed_over");
    s.after(15s);
    CHECK(s.asked() == "client.start 1");
  }
}

TEST_CASE("Z-31: what a client already fetches is watched to its end in a restored store") {
  RestoredStage s;
  s.clear();
  const JobId id = downloading(s);
  s.restore();

  s.after(15s);
  CHECK(s.why(id) == "downloading");
  s.reply("client.look", whole("/d/1"));

  CHECK(s.trail(id) == "queued > downloading > completed");
}

TEST_CASE("Z-31: a cancel is kept and not carried out at the client of a restored store") {
  for (const bool paused : {false, true}) {
    CAPTURE(paused);
    RestoredStage s;
    s.clear();
    const JobId id = paused ? s.add(kBook, {.paused = true}) : downloading(s);
    s.restore();

    CHECK(flow::cancel(s.store(), id, s.clock.now()).wished);
    s.live(1min);
    CHECK(s.count("client.stop") == 0);
    CHECK(s.why(id) == (paused ? "paused" : "restored"));

    s.clear();
    s.live(15s);
    CHECK((s.count("client.stop") == 0) == paused);  // The client never got what was paused.
    if (!paused) s.reply("client.stop", Stopped{});
    CHECK(s.state(id) == "canceled");
  }
}

TEST_CASE("Z-31: a restored store begins no relay and no image, however they are added") {
  RestoredStage s;
  s.tick();
  const JobId relay = s.add(kRelay);
  const JobId image = s.buy(3);
  const flow::AddRequest to_add{.lifecycle = &kRelay, .request = full_request(kRelay, 9)};
  const auto handed = flow::add(s.store(), to_add, s.clock.now(), &s.worker().spare());
  REQUIRE(handed);

  s.live(2min);
  CHECK(s.asked().empty());
  CHECK(s.wallet().spent == 0);
  for (const JobId id : {relay, image, handed->id}) {
    CHECK(s.job(id).version.seq == 0);
    CHECK(s.why(id) == "restored");
  }

  s.clear();
  s.tick();
  CHECK(s.count("disk.start") == 2);
  CHECK(s.count("images.start") == 1);
}

TEST_CASE("Z-31: a film is imported and proven in a restored store, and its source is kept") {
  RestoredStage s;
  s.clear();
  const JobId id = s.add(kMedia);
  s.tick();
  s.reply("client.start", Accepted{.handle = "hash"});
  s.restore();
  s.reply("client.look", whole("/d/film"));
  s.reply("library.land", landed("/lib/film", 10));
  s.reply("library.verify", indexed("/lib/film", 10));

  CHECK(s.state(id) == "imported");
  CHECK(s.why(id) == "restored");
  CHECK(s.count("library.clean") == 0);
  for (int minute = 0; minute < 3; ++minute) {
    s.live(61s);
    s.reply("library.verify", indexed("/lib/film", 10));
  }
  CHECK(s.count("library.clean") == 0);
  CHECK(s.why(id) == "restored");
  CHECK(s.event_types(id) == "ADDED MOVED MOVED ADOPTED MOVED");  // It waits without an event.

  s.clear();
  s.live(121s);
  s.reply("library.verify", indexed("/lib/film", 10));
  CHECK(s.count("library.clean") == 1);
}

TEST_CASE("Z-31: downloads go on in a restored store") {
  RestoredStage s;
  const JobId id = s.add(kBatch);
  s.tick();
  s.reply("http.plan", Planned{.items = {{.key = "a", .url = "https://h/a"}}});

  CHECK(s.count("http.start") == 1);
  CHECK(s.state(id) == "RUNNING");
  CHECK(s.why(id) != "restored");
}

TEST_CASE("Z-31: clearing a restored store resumes no job that a user paused") {
  RestoredStage s;
  const JobId id = s.add(kBook, {.paused = true});

  s.clear();
  s.live(1min);

  CHECK(s.job(id).paused);
  CHECK(s.why(id) == "paused");
  CHECK(s.asked().empty());
}

TEST_CASE("Z-31: parts of a batch that was cancelled before the backup stay until it is cleared") {
  RestoredStage s;
  s.clear();
  const JobId id = s.add(kBatch);
  s.tick();
  s.reply("http.plan", Planned{.items = {{.key = "a", .url = "https://h/a"}}});
  s.push(s.last("http.start"), Moving{.have = 5, .path = {}, .checkpoint = R"({"part":"p"})"});
  s.tick();
  REQUIRE(flow::pause(s.store(), id, s.clock.now()).wished);
  s.after(1s);
  s.reply("http.stop", Stopped{});
  REQUIRE(s.job(id).paused);
  REQUIRE(flow::cancel(s.store(), id, s.clock.now()).moved);
  s.restore();
  s.asked();

  s.live(1min);
  CHECK(s.asked().empty());

  s.clear();
  s.live(2s);
  CHECK(s.asked() == "http.stop 1");
}

}  // namespace haul::testing

// What a film waits for, without burning attempts: a server, a user, an operator.

#include <doctest/doctest.h>

#include <string>

#include "support/flow/script.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

JobId landing(Stage& s) {
  const JobId id = s.add(kMedia);
  s.tick();
  s.reply("client.start", Accepted{.handle = "hash"});
  s.reply("client.look", whole("/d/film"));
  s.asked();
  return id;
}

}  // namespace

TEST_CASE("S1-21: a release that cannot be imported as it is waits, and burns no attempt") {
  for (const char* code : {"cannot_parse", "no_video", "destination_taken", "path_not_mapped",
                           "server_unreachable", "server_refused_token"})
    for (const FaultKind kind : {FaultKind::environment, FaultKind::permanent}) {
      CAPTURE(code);
      Stage s;
      const JobId id = landing(s);
      for (const Millis wait : {15s, 30s}) {
        s.reply("library.land", failed(kind, code));
        CHECK(s.state(id) == "completed");
        CHECK(s.job(id).reason == code);
        CHECK(s.job(id).detail == "as scripted");
        CHECK((s.job(id).due_at == s.clock.now() + wait));
        s.live(wait - 1ms);
        CHECK(s.asked().empty());
        s.after(1ms);
        CHECK(s.asked() == "library.land 1");
      }
      CHECK(s.job(id).version.attempt == 0);
      CHECK(s.event_types(id) == "ADDED MOVED MOVED ADOPTED");  // It waits without an event.

      s.reply("library.land", landed("/lib/film"));
      CHECK(s.state(id) == "imported");
    }
}

TEST_CASE("S1-5: a film whose server was not told stays completed, and is landed again") {
  Stage s;
  const JobId id = landing(s);
  Landed untold = landed("/lib/film");
  untold.told.clear();
  s.reply("library.land", untold);
  CHECK(s.state(id) == "completed");
  CHECK(s.job(id).reason == "server_not_told");
  s.live(15s);
  CHECK(s.asked() == "library.land 1");

  untold.told = "none";  // There is no media server.
  s.reply("library.land", untold);
  CHECK(s.state(id) == "imported");
}

TEST_CASE("S1-19: a server that is down or refuses the token has not said no") {
  for (const char* code : {"server_unreachable", "server_refused_token"})
    for (const bool is_fault : {true, false}) {
      Stage s;
      const JobId id = landing(s);
      s.reply("library.land", landed("/lib/film"));
      const What what =
          is_fault ? What{failed(FaultKind::environment, code)} : What{Unseen{.code = code}};
      for (int i = 0; i < 3; ++i) {
        s.reply("library.verify", what);
        s.live(1min);
      }
      CHECK(s.state(id) == "imported");
      CHECK(s.job(id).reason == code);
      CHECK(s.job(id).version.attempt == 0);
      CHECK(s.count("library.clean") == 0);

      s.reply("library.verify", indexed("/lib/film"));
      s.reply("library.clean", Cleaned{.outcome = "deleted"});
      CHECK(s.state(id) == "cleaned");
    }
}

TEST_CASE("Z-18: a film that waits for days survives any number of crashes, at no cost") {
  Stage s;
  const JobId id = landing(s);
  for (int crash = 1; crash <= 6; ++crash) {  // One more than it has attempts.
    s.reply("library.land", failed(FaultKind::environment, "cannot_parse"));
    REQUIRE(s.job(id).reason == "cannot_parse");
    s.crash();
    s.hire();
    s.live(9s);
    CHECK(s.asked() == "library.land 1");
    CHECK(s.state(id) == "completed");
    CHECK(s.job(id).version.attempt == 0);
  }
}

TEST_CASE("F06: a film whose wait is over counts the crash of its worker, also at once") {
  for (const Millis waited : {14'999ms, 15'000ms}) {
    CAPTURE(waited.count());
    Stage s;
    const JobId id = landing(s);
    s.reply("library.land", failed(FaultKind::environment, "cannot_parse"));
    s.asked();
    s.live(waited);
    const bool is_over = waited == 15s;
    CHECK(s.asked() == (is_over ? "library.land 1" : ""));
    s.crash();
    s.hire();
    s.live(9s);
    CHECK(s.job(id).version.attempt == (is_over ? 1 : 0));
  }
}

TEST_CASE("a film that waits is cancelled and paused like any other") {
  Stage s;
  const JobId id = landing(s);
  s.reply("library.land", failed(FaultKind::environment, "cannot_parse"));
  REQUIRE(flow::pause(s.store(), id, s.clock.now()).wished);
  s.after(1s);
  CHECK(s.job(id).paused);
  REQUIRE(flow::resume(s.store(), id, s.clock.now()).done);
  s.tick();
  CHECK(s.count("library.land") == 2);

  s.reply("library.land", failed(FaultKind::environment, "cannot_parse"));
  REQUIRE(flow::cancel(s.store(), id, s.clock.now()).wished);
  s.after(1s);
  CHECK(s.state(id) == "failed");
  CHECK(s.job(id).reason == "canceled");
}

TEST_CASE("many films that wait do not keep the worker from others") {
  Stage s{{.held_max = 2}};
  const JobId first = landing(s);
  s.reply("library.land", failed(FaultKind::environment, "cannot_parse"));
  const JobId second = landing(s);
  s.reply("library.land", failed(FaultKind::environment, "cannot_parse"));
  CHECK(s.worker().held() < 2);
  CHECK(s.job(first).reason == "cannot_parse");
  CHECK(s.job(second).reason == "cannot_parse");
}

}  // namespace haul::testing

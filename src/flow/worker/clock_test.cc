// Setting the clock may delay an end, a rescue or a deletion, but never hastens one (promise 6,
// F10).

#include <doctest/doctest.h>

#include "support/flow/script.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

constexpr Millis kYear = 24h * 365;

JobId downloading(Stage& s, const Lifecycle& table) {
  const JobId id = s.add(table);
  s.tick();
  s.reply("client.start", Accepted{.handle = "hash"});
  s.reply("client.look", Moving{.have = 1});
  return id;
}

JobId running_batch(Stage& s) {
  const JobId id = s.add(kBatch);
  s.tick();
  s.reply("http.plan", Planned{.items = {{.key = "a", .url = "https://h/a"}}});
  return id;
}

// A relay that no worker takes, so that only its expiry can end it.
JobId waiting_relay(Stage& s, Millis ttl) {
  return s.add(kRelay, {.expires_at = s.clock.now() + ttl, .paused = true});
}

std::size_t events_of(Stage& s, JobId id) { return s.store().events().of(id, {}, 100).size(); }

}  // namespace

TEST_CASE("A3-10: a relay expires when its time is over, not a millisecond before") {
  Stage s;
  const JobId id = waiting_relay(s, 1h);
  s.tick();
  s.after(1h - 1ms);
  CHECK(s.state(id) == "QUEUED");
  s.after(1s);
  CHECK(s.trail(id) == "QUEUED > EXPIRED");
  CHECK(s.job(id).reason == "expired");
}

TEST_CASE("A3-10: a relay that a worker has in hand does not expire") {
  Stage s;
  const JobId id = s.add(kRelay, {.expires_at = s.clock.now() + 1min});
  s.tick();
  s.live(5min);
  CHECK(s.state(id) == "DOWNLOADING");
}

TEST_CASE(
    "promise 6: with the clock set forward, by a minute or ten years, nothing expires early") {
  for (const Millis jump : {Millis{61min}, Millis{24h}, 10 * kYear}) {
    Stage s;
    const JobId id = waiting_relay(s, 1h);
    s.tick();
    s.clock.set(jump);
    s.after(59min);
    CHECK(s.state(id) == "QUEUED");
    s.after(61s);
    CHECK(s.state(id) == "EXPIRED");
  }
}

TEST_CASE("promise 6: a clock set back and right again expires nothing early either") {
  Stage s;
  const JobId id = waiting_relay(s, 1h);
  s.tick();
  s.clock.set(-kYear);
  s.after(30min);
  s.clock.set(kYear);
  s.after(29min);
  CHECK(s.state(id) == "QUEUED");
  s.after(61s);
  CHECK(s.state(id) == "EXPIRED");
}

TEST_CASE("promise 6: a clock that is years ahead when haul starts expires nothing early") {
  for (const Millis jump : {Millis{61min}, Millis{24h}, 10 * kYear}) {
    Stage s;
    const JobId id = waiting_relay(s, 1h);
    s.live(20min);
    s.crash();
    s.clock.set(jump);
    s.hire();
    s.tick();
    CHECK(s.state(id) == "QUEUED");
    s.crash();  // Nor does another start with the same clock expire it.
    s.hire();
    s.live(39min);
    CHECK(s.state(id) == "QUEUED");

    s.live(71s);  // A killed worker loses up to ten seconds of its uptime.
    CHECK(s.trail(id) == "QUEUED > EXPIRED");
  }
}

TEST_CASE("promise 6: a clock ahead at the start and then put right delays expiry by little") {
  Stage s;
  const JobId id = waiting_relay(s, 1h);
  s.live(20min);
  s.crash();
  s.clock.set(10 * kYear);
  s.hire();
  s.live(10min);
  s.clock.set(-10 * kYear);
  s.live(29min);
  CHECK(s.state(id) == "QUEUED");

  s.live(71s);
  CHECK(s.state(id) == "EXPIRED");
}

TEST_CASE(
    "SX-7: events of an ended job are kept for 90 days and then pruned, those of others never") {
  Stage s;
  const JobId ended = downloading(s, kBook);
  s.push(s.last("client.look"), failed(FaultKind::permanent, "engine_error"));
  s.tick();
  const JobId open = s.add(kBook, {.paused = true});

  s.after(24h * 90 - 1s);
  CHECK(events_of(s, ended) == 3);
  s.after(2h);
  CHECK(events_of(s, ended) == 0);
  CHECK(events_of(s, open) == 1);
  CHECK(s.state(ended) == "failed");
}

TEST_CASE("promise 6: with the clock set forward retention deletes nothing early") {
  Stage s;
  const JobId id = downloading(s, kBook);
  s.push(s.last("client.look"), failed(FaultKind::permanent, "engine_error"));
  s.tick();
  s.clock.set(kYear);
  for (int hour = 0; hour < 48; ++hour) s.after(1h);
  CHECK(events_of(s, id) == 3);
}

TEST_CASE("promise 6: with a clock ahead when haul starts retention deletes nothing early") {
  Stage s;
  const JobId id = downloading(s, kBook);
  s.push(s.last("client.look"), failed(FaultKind::permanent, "engine_error"));
  s.tick();
  s.add(kBook, {.paused = true});  // The newest event of all is never pruned.
  s.after(24h * 89);
  s.crash();
  s.clock.set(kYear);
  s.hire();
  s.tick();
  s.after(23h);
  CHECK(events_of(s, id) == 3);

  s.after(3h);
  CHECK(events_of(s, id) == 0);
}

TEST_CASE("promise 6: with the clock set forward no job is rescued from a worker that beats") {
  Stage s;
  const JobId id = running_batch(s);
  s.hire();
  s.tick();
  for (const Millis jump : {Millis{9s}, Millis{24h}, kYear, -kYear, -kYear}) {
    s.clock.set(jump);
    s.live(5s);
  }
  CHECK(s.trail(id) == "PENDING > RUNNING");
  CHECK(s.worker(0).held() == 1);
}

TEST_CASE("F10: a rescue takes 8 s of steady time, wherever the wall clock is set meanwhile") {
  for (const Millis jump : {Millis{0ms}, Millis{24h}, kYear, -kYear}) {
    Stage s;
    const JobId id = running_batch(s);
    s.crash();
    s.hire().tick();
    s.clock.set(jump);
    s.live(7s);
    CHECK(s.trail(id) == "PENDING > RUNNING");
    s.live(3s);
    CHECK(s.job(id).version.attempt == 1);
  }
}

TEST_CASE("Z-1: with the clock set forward a vanished torrent still has its 60 s of steady time") {
  Stage s;
  const JobId id = downloading(s, kBook);
  s.after(15s);
  s.reply("client.look", Missing{});
  s.clock.set(24h);
  s.after(59'999ms);
  s.reply("client.look", Missing{});
  CHECK(s.state(id) == "downloading");
  s.after(1ms);
  s.reply("client.look", Missing{});
  CHECK(s.state(id) == "failed");
}

TEST_CASE("Z-1: a torrent that came back and vanished again has 60 s of steady time again") {
  Stage s;
  const JobId id = downloading(s, kBook);
  for (const What& what : std::initializer_list<What>{Missing{}, Moving{}, Missing{}}) {
    s.after(15s);
    s.reply("client.look", what);
  }
  s.clock.set(24h);
  s.after(45s);  // 75 s after the first mark.
  s.reply("client.look", Missing{});
  CHECK(s.state(id) == "downloading");
  s.after(15s);
  s.reply("client.look", Missing{});
  CHECK(s.state(id) == "failed");
}

TEST_CASE("Z-1: with the clock set back the grace begins again, and ends 60 s later") {
  Stage s;
  const JobId id = downloading(s, kBook);
  s.after(15s);
  s.reply("client.look", Missing{});
  s.clock.set(-kYear);
  s.after(59s);
  s.reply("client.look", Missing{});
  CHECK(s.state(id) == "downloading");
  s.after(59'999ms);
  s.reply("client.look", Missing{});
  CHECK(s.state(id) == "downloading");
  s.after(1ms);
  s.reply("client.look", Missing{});
  CHECK(s.state(id) == "failed");
}

TEST_CASE("Z-1, promise 6: a mark of an earlier process has 60 s of steady time in the next one") {
  for (const Lifecycle* table : {&kBook, &kMedia})
    for (const Millis jump : {Millis{24h}, 10 * kYear}) {
      INFO(table->name << ", " << jump.count() << " ms ahead");
      Stage s;
      const JobId id = downloading(s, *table);
      s.after(15s);
      s.reply("client.look", Missing{});
      const auto mark = s.job(id).missing_since;
      REQUIRE(mark.has_value());
      const std::size_t looks = s.count("client.look");
      s.crash();
      s.clock.set(jump);  // While haul does not run.
      s.hire();
      s.live(15s);
      REQUIRE(s.count("client.look") > looks);

      s.reply("client.look", Missing{});
      CHECK(s.state(id) == "downloading");
      CHECK((s.job(id).missing_since == mark));
      s.after(59s);
      s.reply("client.look", Missing{});
      CHECK(s.state(id) == "downloading");
      s.after(1s);
      s.reply("client.look", Missing{});
      CHECK(s.state(id) == "failed");
      CHECK(s.job(id).reason == "missing_external_job");
    }
}

TEST_CASE("promise 3: with the clock set back a year nothing waits more than ten minutes for it") {
  Stage s;
  const JobId book = downloading(s, kBook);
  const JobId fresh = s.add(kBook, {.request = full_request(kBook, 77)});
  const JobId film = downloading(s, kMedia);
  s.push(s.last("client.look"), whole("/d/film"));
  s.tick();
  s.reply("library.land", landed("/lib/film"));
  s.reply("library.verify", NotIndexed{});
  const JobId relay = s.add(kRelay);
  s.tick();
  s.reply("disk.start", failed(FaultKind::retryable, "http_503"));
  const JobId image = s.buy(1);
  s.tick();
  s.reply("images.start", failed(FaultKind::retryable, "http_500"));
  s.asked();

  s.clock.set(-kYear);
  s.live(600s);

  CHECK(s.count("client.look") >= 40);
  CHECK((s.job(book).seen_at < s.job(book).moved_at));  // By the new clock, which was set back.
  CHECK(s.intents(fresh) == "hand_over open");
  CHECK(s.count("library.verify") == 2);
  CHECK(s.state(film) == "imported");
  CHECK(s.state(relay) == "DOWNLOADING");
  CHECK(s.state(image) == "running");
}

TEST_CASE("promise 3: with the clock set back a year an item's wait and its host's go on") {
  Stage s;
  const JobId id = running_batch(s);
  s.reply("http.start", failed(FaultKind::retryable, "timeout"));
  s.clock.set(-kYear);
  s.live(600s);
  CHECK(s.count("http.start") == 2);
  CHECK(s.items(id) == "DOWNLOADING");
}

TEST_CASE("promise 3: what a worker finds put off by a year at its start is due at once") {
  Stage s;
  const JobId id = s.add(kRelay);
  s.crash();
  s.clock.set(-kYear);
  s.hire().tick();
  CHECK(s.state(id) == "DOWNLOADING");
}

TEST_CASE("F10: a wait of haul's own is not cut short by a clock set back a second") {
  Stage s;
  const JobId id = s.add(kRelay);
  s.tick();
  s.reply("disk.start", failed(FaultKind::environment, "disk_full"));
  s.clock.set(-2s);
  s.live(30s);
  CHECK(s.state(id) == "QUEUED");
  s.live(2s);
  CHECK(s.state(id) == "DOWNLOADING");
}

TEST_CASE("F10: a silence of 15 min is measured by steady time, whatever the wall says") {
  Stage s;
  const JobId id = s.add(kRelay);
  s.tick();
  s.clock.set(kYear);
  s.after(899'999ms);
  CHECK(s.state(id) == "DOWNLOADING");
  s.clock.set(-kYear);
  s.after(1ms);
  CHECK(s.state(id) == "QUEUED");
}

}  // namespace haul::testing

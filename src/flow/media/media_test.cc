// A film: fetched, imported, proven, and only then its source cleaned (document 001, promise 11).

#include <doctest/doctest.h>

#include <string>

#include "support/flow/script.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

// A film that its client has fetched; the library was asked to land it.
JobId fetched(Stage& s) {
  const JobId id = s.add(kMedia);
  s.tick();
  s.reply("client.start", Accepted{.handle = "hash"});
  s.reply("client.look", whole("/d/film"));
  return id;
}

// The same, landed; the media server was asked for it.
JobId imported(Stage& s) {
  const JobId id = fetched(s);
  s.reply("library.land", landed("/lib/film", 10));
  s.asked();
  return id;
}

const Indexed kProof = indexed("/lib/film", 10);

std::string proof_of_last_move(Stage& s, JobId id) {
  std::string data;
  for (const Event& event : s.store().events().of(id, {}, 100))
    if (event.type == "MOVED") data = event.data;
  return data;
}

}  // namespace

TEST_CASE("001: a film is fetched, imported, proven and cleaned, each step once") {
  Stage s;
  const JobId id = s.add(kMedia);

  s.tick();
  s.reply("client.start", Accepted{.handle = "hash"});
  s.reply("client.look", Moving{.have = 1});
  s.after(15s);
  s.reply("client.look", whole("/d/film"));
  s.reply("library.land", landed("/lib/film", 10));
  s.reply("library.verify", kProof);
  s.reply("library.clean", Cleaned{.outcome = "deleted"});
  s.live(2min);

  CHECK(s.trail(id) == "queued > downloading > completed > imported > cleaned");
  CHECK(s.event_types(id) == "ADDED MOVED MOVED ADOPTED MOVED MOVED");
  CHECK(s.asked() ==
        "client.start 1, client.look 1, client.look 1, library.land 1, library.verify 1, "
        "library.clean 1");
  CHECK(s.intents(id) == "hand_over done, clean done");
  CHECK(s.job(id).reason == "deleted");
}

TEST_CASE("promise 11: the last event names what was compared, and the source is what is cleaned") {
  Stage s;
  const JobId id = imported(s);
  s.reply("library.verify", kProof);
  CHECK(s.last("library.clean").path == "/d/film");
  CHECK(s.state(id) == "imported");

  s.reply("library.clean", Cleaned{.outcome = "trashed"});
  CHECK(proof_of_last_move(s, id) == R"({"files":[{"path":"/lib/film","size":10}],)"
                                     R"("sources":[{"path":"/d/film","outcome":"trashed"}]})");
}

TEST_CASE("promise 11: a wrong size or path proves nothing; the source is kept and asked again") {
  for (const Indexed& wrong : {indexed("/lib/film", 9), indexed("/lib/film", 11),
                               indexed("/lib/film2", 10), indexed("/lib", 10), indexed("", 10),
                               indexed("/lib/film/", 10), indexed("/LIB/film", 10)}) {
    Stage s;
    const JobId id = imported(s);
    s.reply("library.verify", wrong);
    CHECK(s.state(id) == "imported");
    CHECK(s.job(id).reason == "not_proven");
    s.live(15s);
    CHECK(s.count("library.verify") == 2);
    CHECK(s.count("library.clean") == 0);
    CHECK(s.intents(id) == "hand_over done");
  }
}

TEST_CASE("promise 11: a series is proven by all of its files, and cleaned once") {
  Stage s;
  const JobId id = fetched(s);
  const std::vector<PlacedFile> both{{"/lib/e1", 10}, {"/lib/e2", 20}};
  s.reply("library.land", Landed{.files = both, .evidence = "{}", .told = "plex"});
  CHECK(s.last("library.verify").placed == both);
  REQUIRE(s.store().catalog().assets_of(id).size() == 2);

  s.reply("library.verify", Indexed{.files = {both[0]}});
  CHECK(s.job(id).reason == "not_proven");
  s.live(60s);
  s.reply("library.verify", Indexed{.files = {both[0], {"/lib/e2", 19}}});
  CHECK(s.job(id).reason == "not_proven");
  s.live(60s);
  CHECK(s.count("library.clean") == 0);

  s.reply("library.verify", Indexed{.files = {{"/lib/other", 1}, both[1], both[0]}});
  CHECK(s.count("library.clean") == 1);
  s.reply("library.clean", Cleaned{.outcome = "deleted"});
  CHECK(s.state(id) == "cleaned");
  CHECK(proof_of_last_move(s, id) ==
        R"({"files":[{"path":"/lib/e1","size":10},{"path":"/lib/e2","size":20}],)"
        R"("sources":[{"path":"/d/film","outcome":"deleted"}]})");
}

TEST_CASE("S1-8: not indexed is asked again after 15 s, then twice as long each time up to 5 min") {
  Stage s;
  const JobId id = imported(s);
  for (const Millis wait : {15s, 30s, 60s, 120s, 240s, 300s, 300s}) {
    s.reply("library.verify", NotIndexed{});
    CHECK(s.job(id).reason == "not_indexed");
    CHECK(s.job(id).worker == s.worker().id());
    CHECK((s.job(id).due_at == s.clock.now() + wait));  // For `why`.
    s.live(wait - 1ms);
    CHECK(s.asked().empty());
    s.after(1ms);
    CHECK(s.asked() == "library.verify 1");
  }

  s.reply("library.verify", kProof);
  s.reply("library.clean", Cleaned{.outcome = "deleted"});
  CHECK(s.trail(id) == "queued > downloading > completed > imported > cleaned");
  CHECK(s.job(id).version.attempt == 0);
}

TEST_CASE("S1-19: a media server that is down has not said no: nothing is cleaned, nothing fails") {
  Stage s;
  const JobId id = imported(s);
  for (int i = 0; i < 10; ++i) {
    s.reply("library.verify", Unseen{.code = "http_401"});
    s.live(60s);
  }
  CHECK(s.state(id) == "imported");
  CHECK(s.job(id).reason == "http_401");
  CHECK(s.count("library.clean") == 0);
}

TEST_CASE("S1-7: with cleaning off a film is cleaned at once, and nothing is asked or deleted") {
  Stage s{flow::Settings{}, {}, {.media = {.clean_source = false}}};
  const JobId id = imported(s);
  CHECK(s.trail(id) == "queued > downloading > completed > imported > cleaned");
  CHECK(s.job(id).reason == "disabled");
  s.live(2min);
  CHECK(s.count("library.verify") == 0);
  CHECK(s.count("library.clean") == 0);
}

TEST_CASE("Z-30: a proven film whose client haul has no more waits for it, and writes no events") {
  Stage s;
  s.client_lists_and_releases = false;
  const JobId id = fetched(s);
  s.reply("client.list", Listed{.files = {source(id)}});
  s.reply("library.land", landed("/lib/film", 10));
  s.reply("library.verify", kProof);
  const std::string events = s.event_types(id);
  s.reply("client.release", failed(FaultKind::environment, "not_configured"));

  std::size_t proven = s.count("library.verify");
  for (int i = 0; i < 600; ++i) {
    s.after(1s);
    if (s.count("library.verify") == proven) continue;
    proven = s.count("library.verify");
    s.reply("library.verify", kProof);
    s.reply("client.release", failed(FaultKind::environment, "not_configured"));
  }

  CHECK(proven > 2);
  CHECK(proven < 10);
  CHECK(s.event_types(id) == events);
  CHECK(s.job(id).reason == "not_configured");
  CHECK(s.state(id) == "imported");
}

TEST_CASE("A1-3: an unsafe source is kept, said so, and the film is cleaned all the same") {
  Stage s;
  const JobId id = imported(s);
  s.reply("library.verify", kProof);
  s.reply("library.clean", Cleaned{.outcome = "kept_unsafe"});
  CHECK(s.state(id) == "cleaned");
  CHECK(s.job(id).reason == "kept_unsafe");
}

TEST_CASE("A1-3, S1-16: a clean that fails is tried again in 30 s, with a new proof") {
  Stage s;
  const JobId id = imported(s);
  s.reply("library.verify", kProof);
  s.reply("library.clean", failed(FaultKind::retryable, "io_error"));
  CHECK(s.state(id) == "imported");
  s.asked();
  s.live(29'999ms);
  CHECK(s.asked().empty());
  s.after(1ms);
  CHECK(s.asked() == "library.verify 1");

  s.reply("library.verify", kProof);
  s.reply("library.clean", Cleaned{.outcome = "deleted"});
  CHECK(s.state(id) == "cleaned");
  CHECK(s.intents(id) == "hand_over done, clean failed, clean done");
}

TEST_CASE("promise 11: a Cleaned that no proof stands behind does not clean the film") {
  Stage s;
  const JobId id = imported(s);
  s.reply("library.verify", Cleaned{.outcome = "deleted"});
  CHECK(s.state(id) == "imported");
  CHECK(s.worker().held() == 1);
}

TEST_CASE("promise 3: a film whose landing the store refuses is given back within 10 s, not lost") {
  Stage s;
  const JobId id = fetched(s);
  s.reply("library.land", Landed{.files = {{"/lib/film", 10}}, .told = "plex"});  // No evidence.
  CHECK(s.state(id) == "completed");
  CHECK(s.job(id).reason == "needs_evidence");
  CHECK_FALSE(s.job(id).worker);
  CHECK(s.worker().held() == 0);

  s.live(9'999ms);
  CHECK(s.count("library.land") == 1);
  s.after(1ms);
  CHECK(s.count("library.land") == 2);
  CHECK(s.job(id).version.attempt == 0);
  s.reply("library.land", landed("/lib/film"));
  CHECK(s.state(id) == "imported");
}

TEST_CASE("A1-8: what landed is remembered when the importer dies, and only that proves it") {
  Stage s;
  const JobId id = imported(s);
  s.crash();
  s.hire();
  s.live(9s);
  CHECK(s.asked() == "library.verify 1");
  CHECK(s.last("library.verify").placed == std::vector<PlacedFile>{{"/lib/film", 10}});

  s.reply("library.verify", indexed("/d/film", 10));
  CHECK(s.state(id) == "imported");
  s.live(60s);
  s.reply("library.verify", kProof);
  s.reply("library.clean", Cleaned{.outcome = "deleted"});
  CHECK(s.state(id) == "cleaned");
}

TEST_CASE(
    "S1-6: an importer lost while landing is replaced after 8 s; the film lands again, once") {
  Stage s;
  const JobId id = fetched(s);
  const Call old = s.last("library.land");
  s.crash();
  s.hire();
  s.live(7'999ms);
  CHECK(s.count("library.land") == 1);
  s.live(2s);
  CHECK(s.count("library.land") == 2);
  CHECK(s.job(id).version.attempt == 1);

  s.push(old, landed("/lib/old", 3));
  s.tick();
  CHECK(s.state(id) == "completed");
  s.reply("library.land", landed("/lib/film", 10));
  CHECK(s.state(id) == "imported");
}

TEST_CASE(
    "Z-21: a worker lost while cleaning leaves its intent; the next one proves, then cleans") {
  Stage s;
  const JobId id = imported(s);
  s.reply("library.verify", kProof);
  s.crash();
  s.hire();
  s.live(9s);
  CHECK(s.intents(id) == "hand_over done, clean open");
  CHECK(s.count("library.clean") == 1);

  s.reply("library.verify", kProof);
  CHECK(s.count("library.clean") == 2);
  s.reply("library.clean", Cleaned{.outcome = "already_gone"});
  CHECK(s.intents(id) == "hand_over done, clean done");
  CHECK(s.job(id).reason == "already_gone");
}

TEST_CASE("promise 11: a worker whose lease is lost cleans nothing, whatever proof it is given") {
  Stage s;
  const JobId id = imported(s);
  const Call asked = s.last("library.verify");
  flow::Worker& slept = s.worker();
  flow::Worker& other = s.hire();
  for (int second = 0; second < 10; ++second) {  // Only the other one is awake.
    s.clock.pass(1s);
    other.tick();
  }
  REQUIRE(s.job(id).worker == other.id());
  REQUIRE(s.count("library.verify") == 2);

  Stage::push(slept, asked, kProof);
  slept.tick();
  CHECK(s.count("library.clean") == 0);
  CHECK(s.state(id) == "imported");
  CHECK(s.intents(id) == "hand_over done");

  Stage::push(other, s.last("library.verify"), kProof);
  other.tick();
  CHECK(s.count("library.clean") == 1);
}

TEST_CASE("promise 11: of a thousand and one files that landed, the next importer proves each") {
  Stage s;
  const JobId id = fetched(s);
  Landed season{.files = {}, .evidence = "{}", .told = "plex"};
  for (int i = 0; i < 1'001; ++i) season.files.push_back({"/lib/e" + std::to_string(i), 10});
  s.reply("library.land", season);
  s.crash();
  s.hire();
  s.live(9s);
  CHECK(s.last("library.verify").placed == season.files);

  s.reply("library.verify", Indexed{.files = {season.files.begin(), season.files.end() - 1}});
  CHECK(s.job(id).reason == "not_proven");
  CHECK(s.count("library.clean") == 0);
}

TEST_CASE("promise 3: a library that lands no file is asked again in 30 s") {
  Stage s;
  const JobId id = fetched(s);
  s.reply("library.land", Landed{.files = {}, .evidence = "{}"});
  CHECK(s.state(id) == "completed");
  CHECK(s.job(id).reason == "nothing_landed");
  s.live(29'999ms);
  CHECK(s.count("library.land") == 1);
  s.after(1ms);
  CHECK(s.count("library.land") == 2);
}

TEST_CASE("promise 4: a library that says nothing for 15 min is stopped before it lands again") {
  Stage s;
  const JobId id = fetched(s);
  s.asked();
  s.after(899'999ms);
  CHECK(s.asked().empty());
  s.after(1ms);
  CHECK(s.asked() == "library.stop 1");
  CHECK(s.job(id).reason == "no_answer");
  s.live(30s);
  CHECK(s.asked() == "library.land 1");
}

TEST_CASE("Z-21: a clean that says nothing for 15 min has an unknown outcome") {
  Stage s;
  const JobId id = imported(s);
  s.reply("library.verify", kProof);
  s.after(900s);
  CHECK(s.intents(id) == "hand_over done, clean unknown");
  CHECK(s.state(id) == "imported");
}

TEST_CASE("promise 3: a library that stops unasked is overdue after 15 min, not held for ever") {
  Stage s;
  const JobId id = fetched(s);
  s.reply("library.land", Stopped{});
  CHECK(s.job(id).worker == s.worker().id());
  s.after(900s);
  CHECK(s.job(id).reason == "no_answer");
}

TEST_CASE("S1-19: a media server that asks for a wait longer than 30 s is asked after it") {
  Stage s;
  const JobId id = imported(s);
  Failed busy = failed(FaultKind::retryable, "http_429");
  busy.wait_ms = 45'000;
  s.reply("library.verify", busy);
  CHECK((s.job(id).due_at == s.clock.now() + 45s));
}

TEST_CASE("S0-6: a film that is retried by hand has all its hand-overs again") {
  Stage s;
  const JobId id = s.add(kMedia);
  s.tick();
  const auto fail_hand_over = [&] {
    s.reply("client.start", failed(FaultKind::retryable, "busy"));
    s.live(6s, 100ms);
  };
  for (int tries = 1; tries <= kMedia.attempts_max; ++tries) fail_hand_over();
  REQUIRE(s.state(id) == "failed");
  REQUIRE(flow::retry(s.store(), id, s.clock.now()).has_value());
  s.tick();

  for (int tries = 1; tries < kMedia.attempts_max; ++tries) fail_hand_over();
  CHECK(s.state(id) == "queued");
  fail_hand_over();
  CHECK(s.state(id) == "failed");
  CHECK(s.count("client.start") == 10);
}

TEST_CASE("promise 12: an import that our disk prevents waits 30 s and burns no attempt") {
  Stage s;
  const JobId id = fetched(s);
  s.reply("library.land", failed(FaultKind::environment, "disk_full"));
  CHECK(s.state(id) == "completed");
  CHECK((s.job(id).due_at == s.clock.now() + 30s));
  s.live(29'999ms);
  CHECK(s.count("library.land") == 1);
  s.after(1ms);
  CHECK(s.count("library.land") == 2);
  CHECK(s.job(id).version.attempt == 0);
}

TEST_CASE("promise 12: an import that our disk prevents for hours writes no events meanwhile") {
  for (const char* code : {"disk_full", "bad_library_folder"}) {
    Stage s;
    const JobId id = fetched(s);
    const std::string events = s.event_types(id);
    for (std::size_t tries = 1; tries <= 10; ++tries) {
      REQUIRE(s.count("library.land") == tries);
      s.reply("library.land", failed(FaultKind::environment, code));
      CHECK(s.job(id).reason == code);
      s.live(30s);
    }
    CHECK(s.event_types(id) == events);

    s.reply("library.land", landed("/lib/film", 10));
    CHECK(s.state(id) == "imported");
  }
}

TEST_CASE(
    "an import whose outcome is unknown is given back, so that its late answer is not taken") {
  Stage s;
  const JobId id = fetched(s);
  Failed unknown = failed(FaultKind::environment, "disk_error");
  unknown.outcome_unknown = true;
  s.reply("library.land", unknown);
  CHECK(s.state(id) == "completed");
  CHECK_FALSE(s.job(id).worker);
}

TEST_CASE("001: an import that cannot work fails the film, and a retry goes all the way again") {
  Stage s;
  const JobId id = fetched(s);
  s.reply("library.land", failed(FaultKind::permanent, "bad_library"));
  CHECK(s.job(id).reason == "bad_library");
  CHECK(flow::retry(s.store(), id, s.clock.now()).has_value());
  s.asked();

  s.tick();
  s.reply("client.start", Accepted{.handle = "hash2"});
  s.reply("client.look", whole("/d/film"));
  s.reply("library.land", landed("/lib/film", 10));
  s.reply("library.verify", kProof);
  s.reply("library.clean", Cleaned{.outcome = "deleted"});

  CHECK(s.trail(id) ==
        "queued > downloading > completed > failed > queued > downloading > completed > imported "
        "> cleaned");
}

}  // namespace haul::testing

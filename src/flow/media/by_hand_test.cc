// Imports by hand: what a user says about the files of a film that cannot be imported as it is.

#include <doctest/doctest.h>

#include <string>

#include "support/flow/script.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;
using Said = std::vector<ByHand>;

const Said kEpisode{{.path = {}, .as = "S01"}, {"film", "S01E02"}};

// A film that the library imports.
JobId landing(Stage& s) {
  const JobId id = s.add(kMedia);
  s.tick();
  s.reply("client.start", Accepted{.handle = "hash"});
  s.reply("client.look", whole("/d/film"));
  s.asked();
  return id;
}

// A film that waits because its name says nothing.
JobId waiting(Stage& s) {
  const JobId id = landing(s);
  s.reply("library.land", failed(FaultKind::environment, "cannot_parse"));
  return id;
}

std::expected<void, Refusal> say(Stage& s, JobId id, const Said& said) {
  return flow::import_by_hand(s.store(), id, said, s.clock.now(), s.work());
}

// "code: detail" of the refusal.
std::string refused(Stage& s, JobId id, const Said& said = kEpisode) {
  const auto answer = say(s, id, said);
  return answer ? "accepted" : answer.error().code + ": " + answer.error().detail;
}

}  // namespace

TEST_CASE("S1-21: what a user says by hand ends the wait, and the library gets it") {
  Stage s;
  const JobId id = waiting(s);

  REQUIRE(say(s, id, kEpisode).has_value());

  CHECK(s.previewed.by_hand == kEpisode);
  CHECK((s.previewed.sources == std::vector{source(id)}));
  CHECK(s.previewed.job == id);
  CHECK((s.job(id).due_at == s.clock.now()));
  CHECK(s.intents(id) == "hand_over done, import open");
  s.after(1s);
  CHECK(s.asked() == "library.land 1");
  CHECK(s.last("library.land").by_hand == kEpisode);
  CHECK(s.intents(id) == "hand_over done, import done");
  s.reply("library.land", landed("/lib/film"));
  CHECK(s.state(id) == "imported");
  CHECK(s.event_types(id) == "ADDED MOVED MOVED ADOPTED IMPORT_ASKED MOVED");
  CHECK(s.last("library.verify").by_hand == kEpisode);
}

TEST_CASE("S1-21: without a word, the wait ends and the import is tried as it was") {
  Stage s;
  const JobId id = waiting(s);
  REQUIRE(say(s, id, {}).has_value());
  s.after(1s);
  CHECK(s.asked() == "library.land 1");
  CHECK(s.last("library.land").by_hand.empty());

  s.reply("library.land", failed(FaultKind::environment, "destination_taken"));
  s.after(1s);
  CHECK(s.asked().empty());  // It waits again: nothing new was said.
  CHECK(s.job(id).reason == "destination_taken");
}

TEST_CASE("S1-21: without a word, the import is tried again with what was said before") {
  Stage s;
  const JobId id = waiting(s);
  REQUIRE(say(s, id, kEpisode).has_value());
  s.after(1s);
  s.reply("library.land", failed(FaultKind::environment, "destination_taken"));
  s.asked();

  REQUIRE(flow::preview_import(s.store(), id, {}, s.work()).has_value());
  CHECK(s.previewed.by_hand == kEpisode);
  REQUIRE(say(s, id, {}).has_value());
  s.after(1s);

  CHECK(s.asked() == "library.land 1");
  CHECK(s.last("library.land").by_hand == kEpisode);
  REQUIRE(say(s, id, {}).has_value());  // Before the worker has read the one before.
  REQUIRE(say(s, id, {}).has_value());
  CHECK(s.previewed.by_hand == kEpisode);
}

TEST_CASE("S1-21: files that are in the library take no other words until the server is told") {
  for (const char* reason :
       {"server_not_told", "server_unreachable", "server_refused_token", "path_not_in_library"}) {
    CAPTURE(reason);
    Stage s;
    const JobId id = waiting(s);
    REQUIRE(say(s, id, kEpisode).has_value());
    s.after(1s);
    s.reply("library.land", failed(FaultKind::environment, reason));
    s.asked();

    CHECK(refused(s, id, {{"film", "movie"}}).starts_with("already_imported: "));
    CHECK(refused(s, id) == "accepted");  // Again.
    CHECK(refused(s, id, {}) == "accepted");
    s.after(1s);
    CHECK(s.asked() == "library.land 1");

    s.reply("library.land", failed(FaultKind::environment, "destination_taken"));
    CHECK(refused(s, id, {{"film", "movie"}}) == "accepted");
  }
}

TEST_CASE("S1-17, S1-21: a plan has no file of an earlier life of the film") {
  Stage s;
  const JobId id = landing(s);
  s.reply("library.land", failed(FaultKind::permanent, "source_missing"));
  REQUIRE(s.state(id) == "failed");
  REQUIRE(flow::retry(s.store(), id, s.clock.now()).has_value());
  s.tick();
  s.client_lists_and_releases = false;
  s.reply("client.start", Accepted{.handle = "hash"});
  s.reply("client.look", whole("/d/other"));
  const auto planned = [&] {
    REQUIRE(flow::preview_import(s.store(), id, kEpisode, s.work()).has_value());
    return s.previewed.sources;
  };
  CHECK(planned().empty());  // The client has not listed them.

  std::vector now{source(id, "other/a"), source(id, "other/b")};
  now[1].inode += 100;
  s.reply("client.list", Listed{.files = now});
  CHECK((planned() == now));
}

TEST_CASE("S1-21: what was said last counts, and what was said before does not") {
  Stage s;
  const JobId id = waiting(s);
  REQUIRE(say(s, id, kEpisode).has_value());
  REQUIRE(say(s, id, {{"film", "movie"}}).has_value());
  CHECK(s.intents(id) == "hand_over done, import failed, import open");

  s.after(1s);

  CHECK(s.asked() == "library.land 1");
  CHECK(s.last("library.land").by_hand == Said{{"film", "movie"}});
}

TEST_CASE("F01: what a user said survives the worker, before and after it was read") {
  for (const bool is_read : {false, true}) {
    Stage s;
    const JobId id = waiting(s);
    REQUIRE(say(s, id, kEpisode).has_value());
    if (is_read) s.after(1s);
    s.crash();
    s.hire();
    s.asked();

    s.live(9s);

    CHECK(s.asked() == "library.land 1");
    CHECK(s.last("library.land").by_hand == kEpisode);
    CHECK(s.intents(id) == "hand_over done, import done");
  }
}

TEST_CASE("S1-21: a film that no worker holds while it waits is due at once") {
  Stage s{{.held_max = 2}};
  waiting(s);
  const JobId id = waiting(s);
  REQUIRE_FALSE(bool{s.job(id).worker});
  s.asked();

  REQUIRE(say(s, id, kEpisode).has_value());
  s.tick();

  CHECK(s.asked() == "library.land 2");
  CHECK(s.last("library.land").by_hand == kEpisode);
}

TEST_CASE("S1-21: a user may say it before the download is complete") {
  Stage s;
  const JobId id = s.add(kMedia);
  s.tick();
  s.reply("client.start", Accepted{.handle = "hash"});
  const auto due = s.job(id).due_at;
  s.preview.problem = ImportProblem{kFilesUnknown, "not complete"};

  REQUIRE(say(s, id, kEpisode).has_value());
  CHECK(s.previewed.sources.empty());
  CHECK((s.job(id).due_at == due));  // The client is not asked earlier.
  s.reply("client.look", whole("/d/film"));

  CHECK(s.last("library.land").by_hand == kEpisode);
  CHECK(s.intents(id) == "hand_over done, import done");
}

TEST_CASE("S1-21: what is said while the library imports the files counts for the next try") {
  Stage s;
  const JobId id = landing(s);
  REQUIRE(say(s, id, kEpisode).has_value());
  s.after(1s);
  CHECK(s.asked().empty());

  s.reply("library.land", failed(FaultKind::environment, "cannot_parse"));
  s.after(1s);

  CHECK(s.asked() == "library.land 1");
  CHECK(s.last("library.land").by_hand == kEpisode);
}

TEST_CASE("S1-21: what is said too late is told, and changes nothing") {
  Stage s;
  const JobId id = landing(s);
  REQUIRE(say(s, id, kEpisode).has_value());

  s.reply("library.land", landed("/lib/film"));

  CHECK(s.state(id) == "imported");
  CHECK(s.intents(id) == "hand_over done, import failed");
  CHECK(s.event_types(id) == "ADDED MOVED MOVED ADOPTED IMPORT_ASKED MOVED LOG");
  s.live(5s);
  CHECK(s.count("library.land") == 1);
  CHECK(s.count("library.verify") == 1);
}

TEST_CASE("S1-21: what was said about a job that ends is over with it") {
  Stage s;
  const JobId id = s.add(kMedia);
  s.preview.problem = ImportProblem{kFilesUnknown, "not complete"};
  REQUIRE(say(s, id, kEpisode).has_value());
  REQUIRE(flow::cancel(s.store(), id, s.clock.now()).wished);

  s.live(5s);

  CHECK(s.state(id) == "failed");
  CHECK(s.intents(id) == "import failed, cancel done");
}

TEST_CASE("S1-17, S1-21: a retry still knows what the user said") {
  Stage s;
  const JobId id = waiting(s);
  REQUIRE(say(s, id, kEpisode).has_value());
  s.after(1s);
  s.reply("library.land", failed(FaultKind::permanent, "source_missing"));
  REQUIRE(s.state(id) == "failed");

  REQUIRE(flow::retry(s.store(), id, s.clock.now()).has_value());
  s.tick();
  s.reply("client.start", Accepted{.handle = "hash"});
  s.reply("client.look", whole("/d/film"));

  CHECK(s.last("library.land").by_hand == kEpisode);
}

TEST_CASE("S1-21: what cannot be done is refused with its reason, and nothing is kept") {
  Stage s;
  const JobId id = waiting(s);
  s.preview.problem = ImportProblem{"ambiguous", "one episode for two videos", "Say which."};
  CHECK(refused(s, id) == "ambiguous: one episode for two videos: Say which.");
  CHECK((say(s, id, kEpisode).error().kind == RefusalKind::guarded));
  s.preview.problem = ImportProblem{"no_video", "it has none"};
  CHECK(refused(s, id) == "no_video: it has none");
  CHECK(s.intents(id) == "hand_over done");
  s.preview = {};

  CHECK(refused(s, JobId{99}) == "no_such_job: ");
  CHECK(refused(s, s.add(kBook)) == "cannot_import: haul imports no files of book jobs");
  s.live(15s);
  s.reply("library.land", landed("/lib/film"));
  CHECK(refused(s, id).starts_with("already_imported: "));
  s.reply("library.verify", indexed("/lib/film"));
  s.reply("library.clean", Cleaned{.outcome = "deleted"});
  CHECK(s.state(id) == "cleaned");
  CHECK(refused(s, id).starts_with("already_imported: "));
}

TEST_CASE("S1-21: a film that failed is retried before it is imported by hand") {
  Stage s;
  const JobId id = landing(s);
  s.reply("library.land", failed(FaultKind::permanent, "source_missing"));
  REQUIRE(s.state(id) == "failed");
  CHECK(refused(s, id) == "ended: the job has failed; retry it first");
}

TEST_CASE("S1-21: a dry run answers with the plan, and changes nothing") {
  Stage s;
  const JobId id = waiting(s);
  s.preview.files = {{.source = "film", .target = "/lib/film", .how = "copy", .size = 10}};
  const std::string events = s.event_types(id);

  const auto plan = flow::preview_import(s.store(), id, kEpisode, s.work());

  REQUIRE(plan.has_value());
  CHECK((*plan == s.preview));
  CHECK(s.previewed.by_hand == kEpisode);
  CHECK((s.previewed.sources == std::vector{source(id)}));
  CHECK(s.intents(id) == "hand_over done");
  CHECK(s.event_types(id) == events);
  s.after(1s);
  CHECK(s.asked().empty());
  CHECK(flow::preview_import(s.store(), JobId{99}, {}, s.work()).error().code == "no_such_job");
}

TEST_CASE("Z-18: the last event says who proved the file, and by what") {
  struct Case {
    const char* by;
    const char* match;
    const char* told;
  };
  for (const auto& [by, match, told] :
       {Case{"plex", "path", R"("proof":{"by":"plex","match":"path"})"},
        Case{"plex", "title", R"("proof":{"by":"plex","match":"title"})"},
        Case{"hash", "", R"("proof":{"by":"hash","match":null})"}}) {
    Stage s;
    const JobId id = landing(s);
    s.reply("library.land", landed("/lib/film"));
    Indexed proof = indexed("/lib/film");
    proof.by = by;
    proof.match = match;
    s.reply("library.verify", proof);
    s.reply("library.clean", Cleaned{.outcome = "deleted"});

    REQUIRE(s.state(id) == "cleaned");
    const std::string data = s.store().events().of(id, {}, 100).back().data;
    CHECK_MESSAGE(data.find(told) != std::string::npos, data);
  }
}

}  // namespace haul::testing

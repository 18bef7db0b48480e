// The sources of a film: the client lets go of them first, then they are removed one by one, and
// each outcome is recorded (Z-4, A1-9, promises 9 and 10).

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <string>

#include "support/flow/script.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

struct CleaningStage : Stage {
  CleaningStage() { client_lists_and_releases = false; }

  // A film of two files that landed; the media server was asked for them.
  JobId imported() {
    const JobId id = add(kMedia);
    tick();
    reply("client.start", Accepted{.handle = "hash"});
    reply("client.look", whole("/d/film"));
    reply("client.list", Listed{.files = {source(id, "e1"), source(id, "e2")}});
    reply("library.land", landed("/lib/film"));
    asked();
    return id;
  }
  // The same, proven; the client was asked to let go of it.
  JobId proven() {
    const JobId id = imported();
    reply("library.verify", indexed("/lib/film"));
    return id;
  }
  // The same, released; the library was told to remove the sources.
  JobId cleaning() {
    const JobId id = proven();
    reply("client.release", Released{});
    return id;
  }
  // "e1 deleted, e2 open": the manifest.
  std::string manifest(JobId id) {
    constexpr std::string_view kNames[] = {"deleted", "trashed", "kept_unsafe", "already_gone"};
    std::string text;
    for (const ManifestFile& file : store().manifest().all(id, {}, 100))
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", file.entry.path,
                          file.outcome ? kNames[static_cast<std::size_t>(*file.outcome)] : "open");
    return text;
  }
  // The paths that the library was last told to remove, unless they must stay.
  std::string told_to_remove() {
    std::string text;
    for (const SourceFile& file : last("library.clean").sources)
      text += (text.empty() ? "" : " ") + file.path;
    return text;
  }
  std::string last_data(JobId id) {
    std::string data;
    for (const Event& event : store().events().of(id, {}, 100))
      if (event.type == "MOVED") data = event.data;
    return data;
  }
};

CleanedSome some(std::string path, std::string outcome, std::string detail = {}) {
  return {.files = {{std::move(path), std::move(outcome), std::move(detail)}}};
}

}  // namespace

TEST_CASE("Z-4: proof, release, intent, clean, each outcome, the end: in this order") {
  CleaningStage s;
  const JobId id = s.proven();
  CHECK(s.asked() == "client.release 1");
  CHECK(s.last("client.release").handle == "hash");
  CHECK(s.last("client.release").paths == std::vector<std::string>{"/d/e1", "/d/e2"});
  CHECK(s.intents(id) == "hand_over done");

  s.reply("client.release", Released{});
  CHECK(s.intents(id) == "hand_over done, clean open");
  CHECK(s.asked() == "library.clean 1");
  CHECK(s.told_to_remove() == "e1 e2");
  CHECK(s.last("library.clean").placed == std::vector<PlacedFile>{{"/lib/film", 10}});

  s.reply("library.clean", some("e1", "deleted"));
  CHECK(s.manifest(id) == "e1 deleted, e2 open");
  CHECK(s.state(id) == "imported");
  s.reply("library.clean", some("e2", "deleted"));
  CHECK(s.state(id) == "imported");

  s.reply("library.clean", Cleaned{.outcome = "deleted"});
  CHECK(s.state(id) == "cleaned");
  CHECK(s.job(id).reason == "deleted");
  CHECK(s.job(id).detail.empty());
  CHECK(s.job(id).result == "/lib/film");
  CHECK(s.intents(id) == "hand_over done, clean done");
  CHECK(s.last_data(id) == R"({"files":[{"path":"/lib/film","size":10}],)"
                           R"("sources":[{"path":"/d/e1","outcome":"deleted"},)"
                           R"({"path":"/d/e2","outcome":"deleted"}]})");
}

TEST_CASE("a cleaned film names its library file, or the folder of several, not the download") {
  const auto result = [](std::vector<PlacedFile> files) {
    CleaningStage s;
    const JobId id = s.add(kMedia);
    s.tick();
    s.reply("client.start", Accepted{.handle = "hash"});
    s.reply("client.look", whole("/d/film"));
    s.reply("client.list", Listed{.files = {source(id, "e1")}});
    Landed many = landed("/lib/film");
    many.files = files;
    s.reply("library.land", many);
    CHECK(s.job(id).result == "/d/film");
    Indexed seen = indexed("/lib/film");
    seen.files = files;
    s.reply("library.verify", seen);
    s.reply("client.release", Released{});
    s.reply("library.clean", Cleaned{.outcome = "deleted"});
    CHECK(s.state(id) == "cleaned");
    return s.job(id).result;
  };
  CHECK(result({{"/lib/F/f.mkv", 10}}) == "/lib/F/f.mkv");
  CHECK(result({{"/lib/S/1/a.mkv", 10}, {"/lib/S/1/b.mkv", 9}}) == "/lib/S/1");
  CHECK(result({{"/lib/S/1/a.mkv", 10}, {"/lib/S/12/b.mkv", 9}}) == "/lib/S");
  CHECK(result({{"/a/f.mkv", 10}, {"/b/f.mkv", 9}}) == "/");
}

TEST_CASE("A1-2: the worst outcome is the film's reason, and what stays is named") {
  CleaningStage s;
  const JobId id = s.cleaning();
  s.reply("library.clean", some("/d/e2", "kept_unsafe", "it has changed"));  // An absolute path.
  s.reply("library.clean", some("e1", "deleted"));
  s.reply("library.clean", Cleaned{.outcome = "kept_unsafe"});

  CHECK(s.state(id) == "cleaned");
  CHECK(s.job(id).reason == "kept_unsafe");
  CHECK(s.job(id).detail == "1 of 2 files stays: /d/e2 (it has changed)");
  CHECK(s.manifest(id) == "e1 deleted, e2 kept_unsafe");
  CHECK(s.last_data(id).ends_with(
      R"({"path":"/d/e2","outcome":"kept_unsafe","detail":"it has changed"}]})"));
}

TEST_CASE("a library that reports no single files has done the same with all of them") {
  CleaningStage s;
  const JobId id = s.cleaning();
  s.reply("library.clean", some("e1", "already_gone"));
  s.reply("library.clean", some("stranger", "deleted"));
  s.reply("library.clean", Cleaned{.outcome = "trashed"});
  CHECK(s.manifest(id) == "e1 already_gone, e2 trashed");
  CHECK(s.job(id).reason == "trashed");
}

TEST_CASE(
    "A1-9: a film that is shared waits under its lease, says until when, and is proven anew") {
  CleaningStage s;
  const JobId id = s.proven();
  s.reply("client.release", Seeding{.left = 2min, .detail = "seeded 1 h"});
  CHECK(s.state(id) == "imported");
  CHECK(s.job(id).reason == "seeding");
  CHECK(s.job(id).detail == "seeded 1 h; until " + to_iso(s.clock.now() + 2min) + " at the latest");
  CHECK((s.job(id).due_at == s.clock.now() + 2min));
  CHECK(s.job(id).worker == s.worker().id());
  CHECK(s.intents(id) == "hand_over done");

  s.asked();
  s.live(119'999ms);
  CHECK(s.asked().empty());
  s.after(1ms);
  CHECK(s.asked() == "library.verify 1");
  s.reply("library.verify", indexed("/lib/film"));
  s.reply("client.release", Released{});
  s.reply("library.clean", Cleaned{.outcome = "deleted"});
  CHECK(s.state(id) == "cleaned");
  CHECK(s.job(id).version.attempt == 0);
}

TEST_CASE("A1-9: without a time, and with a long one, the client is asked again after 5 min") {
  for (const std::optional<Millis> left : {std::optional<Millis>{}, std::optional<Millis>{24h}}) {
    CleaningStage s;
    const JobId id = s.proven();
    s.reply("client.release", Seeding{.left = left, .detail = "ratio"});
    CHECK((s.job(id).due_at == s.clock.now() + 5min));
  }
}

TEST_CASE("A0-8: a transfer that another order uses keeps its files, and the film is cleaned") {
  CleaningStage s;
  const JobId id = s.proven();
  s.reply("client.release", Released{.used_by = "another job uses it"});
  CHECK(s.state(id) == "cleaned");
  CHECK(s.job(id).reason == "kept_unsafe");
  CHECK(s.job(id).detail == "2 of 2 files stay: /d/e1 (another job uses it)");
  CHECK(s.manifest(id) == "e1 kept_unsafe, e2 kept_unsafe");
  CHECK(s.count("library.clean") == 0);
}

TEST_CASE("Z-4: a file that another open job lists stays, and the others go") {
  CleaningStage s;
  const JobId id = s.imported();
  const Call verify = s.last("library.verify");
  const JobId other = s.add(kMedia);
  s.tick();
  s.reply("client.start", Accepted{.handle = "hash2"});
  s.reply("client.look", whole("/d/other"));
  SourceFile shared = source(other, "linked");
  shared.inode = 99;
  s.reply("client.list", Listed{.files = {shared}});
  ManifestEntry entry = s.store().manifest().of(id, 1).front();
  entry.inode = 99;  // e1 is a link to the other job's file.
  const Job held = s.job(id);
  REQUIRE(
      s.store().manifest().list({id, held.worker, held.version.fence}, {&entry, 1}).has_value());

  s.push(verify, indexed("/lib/film"));
  s.tick();
  s.reply("client.release", Released{});

  CHECK(s.told_to_remove() == "e2");
  CHECK(s.manifest(id) == "e1 kept_unsafe, e2 open");
  s.reply("library.clean", some("e2", "deleted"));
  s.reply("library.clean", Cleaned{.outcome = "deleted"});
  CHECK(s.job(id).reason == "kept_unsafe");
}

TEST_CASE("Z-4: a file that another job lists during the clean stays: the library asks again") {
  CleaningStage s;
  const JobId id = s.cleaning();
  const Call clean = s.last("library.clean");
  REQUIRE(clean.sources.size() == 2);
  CHECK(clean.why_kept(clean.sources[0]).value() == "");

  const JobId other = s.add(kMedia);
  s.tick();
  s.reply("client.start", Accepted{.handle = "hash2"});
  s.reply("client.look", whole("/d/other"));
  SourceFile shared = source(other, "linked");
  shared.inode = clean.sources[0].inode;
  shared.device = clean.sources[0].device;
  s.reply("client.list", Listed{.files = {shared}});

  CHECK(clean.why_kept(clean.sources[0]).value() == "another open job lists this file");
  SourceFile stranger = clean.sources[1];
  stranger.path = "stranger";
  CHECK(clean.why_kept(stranger).value() == "the job does not list this file");
  CHECK(s.manifest(id) == "e1 open, e2 open");
}

TEST_CASE("Z-4: an outcome is recorded for the file of its root") {
  CleaningStage s;
  const JobId id = s.imported();
  const Call verify = s.last("library.verify");
  ManifestEntry entry = s.store().manifest().of(id, 1).front();
  entry.root = "/d2";  // Has the path of another file, beneath another root.
  const Job held = s.job(id);
  REQUIRE(
      s.store().manifest().list({id, held.worker, held.version.fence}, {&entry, 1}).has_value());
  s.push(verify, indexed("/lib/film"));
  s.tick();
  s.reply("client.release", Released{});

  CleanedSome cleaned = some("e1", "deleted");
  cleaned.files.front().root = "/d2";
  s.reply("library.clean", cleaned);

  CHECK(s.manifest(id) == "e1 open, e2 open, e1 deleted");
}

TEST_CASE("a film of which every file stays is cleaned without the library") {
  CleaningStage s;
  const JobId id = s.imported();
  for (const ManifestEntry& entry : s.store().manifest().of(id, 10))
    REQUIRE(s.store().manifest().settle({id, s.job(id).worker, s.job(id).version.fence}, entry.id,
                                        Removal::kept_unsafe, s.clock.now()));
  s.reply("library.verify", indexed("/lib/film"));
  s.reply("client.release", Released{});
  CHECK(s.state(id) == "cleaned");
  CHECK(s.job(id).reason == "kept_unsafe");
  CHECK(s.count("library.clean") == 0);
}

TEST_CASE("Z-21: a worker lost while it cleans: the next one goes on, and no outcome is lost") {
  CleaningStage s;
  const JobId id = s.cleaning();
  s.reply("library.clean", some("e1", "trashed"));
  s.crash();
  s.hire();
  s.live(9s);
  s.reply("library.verify", indexed("/lib/film"));
  s.reply("client.release", Released{});  // It is gone already.

  CHECK(s.intents(id) == "hand_over done, clean open");
  CHECK(s.told_to_remove() == "e2");                     // A user may have restored e1.
  s.reply("library.clean", some("e2", "already_gone"));  // Removed, but not recorded.
  s.reply("library.clean", Cleaned{.outcome = "already_gone"});
  CHECK(s.manifest(id) == "e1 trashed, e2 already_gone");
  CHECK(s.job(id).reason == "trashed");
  CHECK(s.intents(id) == "hand_over done, clean done");
}

TEST_CASE("F27: a file that stays after a cut-off clean is given to the library with the reason") {
  CleaningStage s;
  const JobId id = s.cleaning();
  s.crash();  // The library may have set e1 aside by now.
  s.hire();
  s.live(9s);
  s.reply("library.verify", indexed("/lib/film"));
  s.reply("client.release", Released{.used_by = "another job uses it"});

  CHECK(s.count("library.clean") == 2);
  CHECK(s.told_to_remove() == "e1 e2");
  const Call clean = s.last("library.clean");
  for (const SourceFile& file : clean.sources)
    CHECK(clean.why_kept(file).value() == "another job uses it");
  CHECK(s.manifest(id) == "e1 open, e2 open");

  s.reply("library.clean", some("e1", "kept_unsafe", "another job uses it"));
  s.reply("library.clean", some("e2", "kept_unsafe", "another job uses it"));
  s.reply("library.clean", Cleaned{.outcome = "kept_unsafe"});
  CHECK(s.state(id) == "cleaned");
  CHECK(s.job(id).detail == "2 of 2 files stay: /d/e1 (another job uses it)");
  CHECK(s.manifest(id) == "e1 kept_unsafe, e2 kept_unsafe");
}

TEST_CASE("A1-3: a clean that fails half way keeps what it did, and tries the rest in 30 s") {
  CleaningStage s;
  const JobId id = s.cleaning();
  s.reply("library.clean", some("e1", "deleted"));
  s.reply("library.clean", failed(FaultKind::environment, "read_only"));
  CHECK(s.state(id) == "imported");
  CHECK(s.manifest(id) == "e1 deleted, e2 open");
  CHECK(s.intents(id) == "hand_over done, clean failed");
  s.live(30s);
  s.reply("library.verify", indexed("/lib/film"));
  s.reply("client.release", Released{});
  s.reply("library.clean", some("e2", "deleted"));
  s.reply("library.clean", Cleaned{.outcome = "deleted"});
  CHECK(s.job(id).reason == "deleted");
}

TEST_CASE("a client that cannot be reached keeps the sources, and is asked again in 30 s") {
  CleaningStage s;
  const JobId id = s.proven();
  s.reply("client.release", failed(FaultKind::retryable, "client_unreachable"));
  CHECK(s.state(id) == "imported");
  CHECK(s.intents(id) == "hand_over done");
  s.live(30s);
  s.reply("library.verify", indexed("/lib/film"));
  CHECK(s.count("client.release") == 2);
  CHECK(s.count("library.clean") == 0);
}

TEST_CASE("promise 11: a release that no proof stands behind removes nothing") {
  CleaningStage s;
  const JobId id = s.imported();
  s.reply("library.verify", Released{});
  CHECK(s.count("library.clean") == 0);
  s.reply("library.verify", NotIndexed{});
  s.push(s.last("library.verify"), Released{});
  s.tick();
  CHECK(s.state(id) == "imported");
  CHECK(s.count("library.clean") == 0);
}

TEST_CASE("A1-7: a film that is cancelled while its client lets go of it keeps its sources") {
  CleaningStage s;
  const JobId id = s.proven();
  REQUIRE(flow::cancel(s.store(), id, s.clock.now()).wished);
  s.after(1s);
  CHECK(s.state(id) == "failed");
  s.reply("client.release", Released{});
  CHECK(s.count("library.clean") == 0);
  CHECK(s.manifest(id) == "e1 open, e2 open");
}

TEST_CASE("what the library reported of a film is given to it again, also to the next worker") {
  CleaningStage s;
  s.imported();
  CHECK(s.last("library.verify").evidence == R"({"size":10})");
  CHECK(s.last("library.verify").sources.empty());
  s.crash();
  s.hire();
  s.live(9s);
  CHECK(s.count("library.verify") == 2);
  CHECK(s.last("library.verify").evidence == R"({"size":10})");
}

}  // namespace haul::testing

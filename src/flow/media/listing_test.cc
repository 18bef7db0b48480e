// The files of a film are listed before they are imported, and only once (Z-4, S1-22).

#include <doctest/doctest.h>

#include <string>

#include "support/flow/script.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

// A stage whose client answers only what the test says.
struct ListingStage : Stage {
  ListingStage() { client_lists_and_releases = false; }

  // A film that its client has fetched; the client was asked for its files.
  JobId fetched() {
    const JobId id = add(kMedia);
    tick();
    reply("client.start", Accepted{.handle = "hash"});
    reply("client.look", whole("/d/film"));
    asked();
    return id;
  }
  // "film film2": the paths in the manifest.
  std::string manifest(JobId id) {
    std::string text;
    for (const ManifestFile& file : store().manifest().all(id, {}, 100))
      text += (text.empty() ? "" : " ") + file.entry.path;
    return text;
  }
};

const Listed kTwo{.files = {source(JobId{1}, "e1"), source(JobId{1}, "e2")}};

}  // namespace

TEST_CASE("Z-4: the client's list is in the manifest before the library gets it") {
  ListingStage s;
  const JobId id = s.fetched();
  CHECK(s.last("client.list").handle == "hash");
  CHECK(s.count("library.land") == 0);

  s.reply("client.list", kTwo);

  CHECK(s.manifest(id) == "e1 e2");
  const ManifestEntry entry = s.store().manifest().of(id, 1).front();
  CHECK((entry.made_by == MadeBy::client));
  CHECK(entry.root == "/d");
  CHECK(entry.inode == 1);
  CHECK(entry.size == 10);
  CHECK(s.asked() == "library.land 1");
  CHECK(s.last("library.land").sources == kTwo.files);
  CHECK(s.state(id) == "completed");
}

TEST_CASE("Z-4: a film that another worker has listed is imported without asking again") {
  ListingStage s;
  s.fetched();
  s.reply("client.list", kTwo);
  s.crash();
  s.hire();
  s.live(9s);

  CHECK(s.count("client.list") == 1);
  CHECK(s.count("library.land") == 2);
  CHECK(s.last("library.land").sources == kTwo.files);
}

TEST_CASE("Z-4: a worker lost before the list is stored leaves nothing, and the next one asks") {
  ListingStage s;
  const JobId id = s.fetched();
  const Call old = s.last("client.list");
  s.crash();
  s.hire();
  s.live(9s);
  CHECK(s.count("client.list") == 2);

  s.push(old, kTwo);  // Its fence is over.
  s.tick();
  CHECK(s.manifest(id).empty());
  s.reply("client.list", kTwo);
  CHECK(s.manifest(id) == "e1 e2");
}

TEST_CASE("Z-4: a film that a user retries is listed anew, because its files are new ones") {
  ListingStage s;
  const JobId id = s.fetched();
  s.reply("client.list", kTwo);
  s.reply("library.land", failed(FaultKind::permanent, "bad_library"));
  REQUIRE(s.state(id) == "failed");
  REQUIRE(flow::retry(s.store(), id, s.clock.now()).has_value());
  s.tick();
  s.reply("client.start", Accepted{.handle = "hash"});
  s.reply("client.look", whole("/d/film"));
  CHECK(s.count("client.list") == 2);

  Listed anew = kTwo;
  anew.files.front().inode = 77;
  s.reply("client.list", anew);

  CHECK(s.last("library.land").sources == anew.files);
  CHECK(s.store().manifest().of(id, 1).front().inode == 77);
}

TEST_CASE("promise 10: a worker whose lease is lost lists nothing and imports nothing") {
  ListingStage s;
  const JobId id = s.fetched();
  const Call asked = s.last("client.list");
  flow::Worker& slept = s.worker();
  flow::Worker& other = s.hire();
  for (int second = 0; second < 10; ++second) {  // Only the other one is awake.
    s.clock.pass(1s);
    other.tick();
  }
  REQUIRE(s.job(id).worker == other.id());

  Stage::push(slept, asked, kTwo);
  slept.tick();

  CHECK(s.manifest(id).empty());
  CHECK(s.count("library.land") == 0);
}

TEST_CASE("S1-22: a film that its client has lost fails after 60 s, and not before") {
  ListingStage s;
  const JobId id = s.fetched();
  for (int look = 0; look < 4; ++look) {
    s.reply("client.list", Missing{});
    CHECK(s.state(id) == "completed");
    CHECK(s.job(id).reason == "missing_in_client");
    s.live(15s);
  }
  CHECK(s.count("client.list") == 5);

  s.reply("client.list", Missing{});
  CHECK(s.state(id) == "failed");
  CHECK(s.job(id).reason == "missing_external_job");
  CHECK(s.count("library.land") == 0);
}

TEST_CASE("S1-22: a film that its client lists again is not lost, and the grace starts over") {
  ListingStage s;
  const JobId id = s.fetched();
  s.reply("client.list", Missing{});
  s.live(15s);
  s.reply("client.list", Unseen{.code = "client_unreachable"});
  CHECK(s.job(id).reason == "client_unreachable");
  s.live(15s);
  s.reply("client.list", kTwo);
  CHECK(s.count("library.land") == 1);
}

TEST_CASE("a client that cannot be asked is asked again in 30 s, and costs no attempt") {
  ListingStage s;
  const JobId id = s.fetched();
  s.reply("client.list", failed(FaultKind::retryable, "client_unreachable"));
  CHECK(s.state(id) == "completed");
  CHECK(s.job(id).version.attempt == 0);
  s.live(30s);
  CHECK(s.count("client.list") == 2);
}

TEST_CASE("a client that says nothing for 15 min is asked again") {
  ListingStage s;
  const JobId id = s.fetched();
  s.after(900s);
  CHECK(s.job(id).reason == "no_answer");
  CHECK(s.count("library.stop") == 0);
  s.live(30s);
  CHECK(s.count("client.list") == 2);
}

TEST_CASE("a list without a file imports nothing, and is asked for again") {
  ListingStage s;
  const JobId id = s.fetched();
  s.reply("client.list", Listed{});
  CHECK(s.job(id).reason == "no_files");
  CHECK(s.count("library.land") == 0);
  s.live(15s);
  CHECK(s.count("client.list") == 2);
}

TEST_CASE("a film of more than four thousand files fails, and one of four thousand lands") {
  for (const std::size_t count : {4'000U, 4'001U}) {
    ListingStage s;
    const JobId id = s.fetched();
    Listed many;
    for (std::size_t i = 0; i < count; ++i) {
      many.files.push_back(source(id, "e" + std::to_string(i)));
      many.files.back().inode = static_cast<std::int64_t>(i);
    }
    s.reply("client.list", many);
    CHECK(s.count("library.land") == (count == 4'000 ? 1 : 0));
    CHECK(s.state(id) == (count == 4'000 ? "completed" : "failed"));
    if (count > 4'000) continue;

    s.crash();
    s.hire();
    s.live(9s);
    CHECK(s.last("library.land").sources == many.files);
  }
}

TEST_CASE("promise 10: a list with a path that leaves its root is refused as a whole") {
  ListingStage s;
  const JobId id = s.fetched();
  s.reply("client.list", Listed{.files = {source(id, "e1"), source(id, "../e2")}});
  CHECK(s.manifest(id).empty());
  CHECK(s.count("library.land") == 0);
  CHECK(s.job(id).reason == "bad_path");
}

TEST_CASE("A1-7: a film whose files are being listed is cancelled at once, and not imported") {
  ListingStage s;
  const JobId id = s.fetched();
  REQUIRE(flow::cancel(s.store(), id, s.clock.now()).wished);
  s.after(1s);
  CHECK(s.state(id) == "failed");

  s.reply("client.list", kTwo);
  CHECK(s.count("library.land") == 0);
  CHECK(s.asked().empty());
}

}  // namespace haul::testing

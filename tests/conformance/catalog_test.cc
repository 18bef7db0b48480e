// The catalog: assets arrive with a move, the shelf follows, a source is never forgotten (000 §9).

#include <doctest/doctest.h>

#include "support/bench.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

Catalog& catalog(Bench& b) { return b.store().catalog(); }

// A book job that lands with these facts.
JobId land(Bench& b, const AssetFacts& facts) {
  const JobId id = b.reach(kBook, "downloading");
  Ask ask = b.draft(id, On::landed);
  ask.asset = facts;
  REQUIRE(b.ask(ask).has_value());
  return id;
}

const AssetFacts kText{.book = "b1",
                       .title = "Dune",
                       .media_type = "text",
                       .path = "/books/dune.epub",
                       .size = 100,
                       .checksum = "c1",
                       .source_url = "https://tracker/1",
                       .source = "jackett"};

AssetFacts audio() {
  AssetFacts facts = kText;
  facts.media_type = "audio";
  facts.path = "/books/dune.m4b";
  return facts;
}

}  // namespace

TEST_CASE("a new book is in the archive; a known one keeps its title") {
  Bench b;

  CHECK((catalog(b).ensure_book("b1", "Dune") == Book{"b1", "Dune", "archive"}));
  CHECK((catalog(b).ensure_book("b1", "Other") == Book{"b1", "Dune", "archive"}));

  CHECK((catalog(b).book("b1") == Book{"b1", "Dune", "archive"}));
  CHECK_FALSE(catalog(b).book("b2").has_value());
}

TEST_CASE("S0-22: a landed book has its asset, with all its facts, and is in the library") {
  Bench b;

  const JobId id = land(b.after(1s), kText);

  const std::vector<Asset> assets = catalog(b).assets_of("b1");
  REQUIRE(assets.size() == 1);
  CHECK((assets[0] == Asset{.id = assets[0].id,
                            .job = id,
                            .book = "b1",
                            .media_type = "text",
                            .status = "available",
                            .path = "/books/dune.epub",
                            .size = 100,
                            .checksum = "c1",
                            .source_url = "https://tracker/1",
                            .source = "jackett",
                            .created_at = b.now()}));
  CHECK((catalog(b).assets_of(id) == assets));
  CHECK((catalog(b).book("b1") == Book{"b1", "Dune", "library"}));
}

TEST_CASE("S0-22: a book nobody made before is made when it lands; without a title it is its id") {
  Bench b;
  AssetFacts facts = kText;
  facts.title = "";

  land(b, facts);

  CHECK(catalog(b).book("b1")->title == "b1");
}

TEST_CASE(
    "S0-22: a second download of the same kind replaces the file and keeps the first source") {
  Bench b;
  land(b, kText);
  const FileId first = catalog(b).assets_of("b1").at(0).id;
  AssetFacts better = kText;
  better.path = "/books/dune2.epub";
  better.size = 200;
  better.checksum = "c2";
  better.source_url = "https://elsewhere/2";

  const JobId second = land(b.after(1h), better);

  const std::vector<Asset> assets = catalog(b).assets_of("b1");
  REQUIRE(assets.size() == 1);
  CHECK((assets[0].id == first));
  CHECK((assets[0].job == second));
  CHECK(assets[0].path == "/books/dune2.epub");
  CHECK(assets[0].size == 200);
  CHECK(assets[0].checksum == "c2");
  CHECK(assets[0].source_url == "https://tracker/1");
}

TEST_CASE("S0-22: an asset without a source takes the first one it gets") {
  Bench b;
  AssetFacts unknown = kText;
  unknown.source_url = "";
  land(b, unknown);

  land(b, kText);

  CHECK(catalog(b).assets_of("b1").at(0).source_url == "https://tracker/1");
}

TEST_CASE("S0-28: a lost file takes path, size and checksum with it, and leaves the source") {
  for (const AssetLoss loss : {AssetLoss::deleted, AssetLoss::missing}) {
    Bench b;
    land(b, kText);
    const FileId asset = catalog(b).assets_of("b1").at(0).id;

    CHECK(catalog(b).lose(asset, loss, b.now()));

    const Asset lost = catalog(b).assets_of("b1").at(0);
    CHECK(lost.status == (loss == AssetLoss::deleted ? "deleted" : "missing"));
    CHECK(lost.path + lost.checksum == "");
    CHECK_FALSE(lost.size.has_value());
    CHECK(lost.source_url == "https://tracker/1");
    CHECK(catalog(b).book("b1")->shelf == "archive");
  }
}

TEST_CASE(
    "S0-28: a book stays in the library until its last file is gone, and comes back with one") {
  Bench b;
  land(b, kText);
  land(b, audio());
  const std::vector<Asset> assets = catalog(b).assets_of("b1");  // By kind: audio, text.
  REQUIRE(assets.size() == 2);
  CHECK(assets[0].media_type + assets[1].media_type == "audiotext");

  REQUIRE(catalog(b).lose(assets[0].id, AssetLoss::deleted, b.now()));
  CHECK(catalog(b).book("b1")->shelf == "library");
  REQUIRE(catalog(b).lose(assets[1].id, AssetLoss::missing, b.now()));
  CHECK(catalog(b).book("b1")->shelf == "archive");

  land(b, kText);
  CHECK(catalog(b).book("b1")->shelf == "library");
  CHECK(catalog(b).assets_of("b1").at(1).status == "available");
  CHECK(catalog(b).assets_of("b1").at(1).source_url == "https://tracker/1");
}

TEST_CASE("a file is lost once; one that never was cannot be") {
  Bench b;
  land(b, kText);
  const FileId asset = catalog(b).assets_of("b1").at(0).id;
  REQUIRE(catalog(b).lose(asset, AssetLoss::deleted, b.now()));

  CHECK_FALSE(catalog(b).lose(asset, AssetLoss::missing, b.now()));
  CHECK_FALSE(catalog(b).lose(FileId{99}, AssetLoss::deleted, b.now()));

  CHECK(catalog(b).assets_of("b1").at(0).status == "deleted");
}

TEST_CASE("W0-9: a download that starts or fails leaves the asset as it is") {
  Bench b;
  land(b, kText);
  const std::vector<Asset> before = catalog(b).assets_of("b1");

  b.reach(kBook, "downloading");
  b.reach(kBook, "failed");

  CHECK((catalog(b).assets_of("b1") == before));
  CHECK(catalog(b).book("b1")->shelf == "library");
}

TEST_CASE("S4-6: what is no book's belongs to its job, once") {
  Bench b;
  const JobId image = b.reach(kImage, "completed");
  const JobId media = b.reach(kMedia, "imported");

  for (const JobId id : {image, media}) {
    const std::vector<Asset> assets = catalog(b).assets_of(id);
    REQUIRE(assets.size() == 1);
    CHECK(assets[0].book.empty());
    CHECK(assets[0].path == "/library/" + std::to_string(id.value));
  }
  CHECK(catalog(b).books("", 10).empty());
}

TEST_CASE("S1-17: a media job that is retried and imported again has one asset, the new one") {
  Bench b;
  const JobId id = b.reach(kMedia, "imported");
  for (const On on : {On::fail, On::retry, On::started, On::fetched})
    REQUIRE(b.ask(id, on).has_value());
  b.claim(kMedia);
  Ask ask = b.draft(id, On::landed);
  ask.asset->path = "/library/again";
  REQUIRE(b.ask(ask).has_value());

  const std::vector<Asset> assets = catalog(b).assets_of(id);
  REQUIRE(assets.size() == 1);
  CHECK(assets[0].path == "/library/again");
}

TEST_CASE("promise 7: an asset without a path has not arrived") {
  Bench b;
  const JobId id = b.reach(kBook, "downloading");
  Ask ask = b.draft(id, On::landed);
  ask.asset->path = "";

  CHECK_FALSE(b.ask(ask).has_value());
}

TEST_CASE("books and assets are paged in the order of their ids") {
  Bench b;
  for (const char* id : {"c", "a", "b"}) catalog(b).ensure_book(id, id);
  land(b, kText);
  land(b, audio());

  CHECK(catalog(b).books("", 2).at(1).id == "b");
  CHECK(catalog(b).books("b", 10).at(0).id == "b1");
  CHECK(catalog(b).books("c", 10).empty());
  const std::vector<Asset> all = catalog(b).assets({}, 10);
  REQUIRE(all.size() == 2);
  CHECK((catalog(b).assets(all[0].id, 10) == std::vector{all[1]}));
  CHECK(catalog(b).assets({}, 1).size() == 1);
}

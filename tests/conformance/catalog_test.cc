// The catalog: a move records an asset and updates the shelf, and a source is never lost (000 §9).

#include <doctest/doctest.h>

#include "support/store/bench.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

Catalog& catalog(Bench& b) { return b.store().catalog(); }

// Adds a book job and lands it with these facts.
JobId land(Bench& b, const AssetFacts& facts) {
  const JobId id = b.reach(kBook, "downloading");
  Ask ask = b.draft(id, On::landed);
  ask.assets = {facts};
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

std::string ids(const BookPage& page) {
  std::string out;
  for (const Book& book : page.books) out += (out.empty() ? "" : " ") + book.id;
  return out;
}

}  // namespace

TEST_CASE("a new book is in the archive; a known one keeps its title") {
  Bench b;

  const Ensured first = catalog(b).ensure_book("b1", "Dune");
  const Ensured second = catalog(b).ensure_book("b1", "Other");

  CHECK((first.book == Book{"b1", "Dune", "archive"}));
  CHECK(first.is_new);
  CHECK((second.book == Book{"b1", "Dune", "archive"}));
  CHECK_FALSE(second.is_new);
  CHECK((catalog(b).book("b1") == Book{"b1", "Dune", "archive"}));
  CHECK_FALSE(catalog(b).book("b2").has_value());
}

TEST_CASE("a book that has only its id for a title takes the first real one") {
  Bench b;
  CHECK(catalog(b).ensure_book("b1", "").book.title == "b1");
  CHECK(catalog(b).ensure_book("b1", "Dune").book.title == "Dune");
  CHECK(catalog(b).ensure_book("b1", "Other").book.title == "Dune");
  CHECK_FALSE(catalog(b).ensure_book("b1", "").is_new);
}

TEST_CASE("S0-22: a landed book has its asset, with all its facts, and is in the library") {
  Bench b;

  const JobId id = land(b.after(1s), kText);

  const std::vector<Asset> assets = catalog(b).assets_of("b1");
  REQUIRE(assets.size() == 1);
  CHECK((assets[0] == Asset{.id = assets[0].id,
                            .job = id,
                            .owner = b.job(id).owner,
                            .book = "b1",
                            .media_type = "text",
                            .status = "available",
                            .path = "/books/dune.epub",
                            .size = 100,
                            .checksum = "c1",
                            .source_url = "https://tracker/1",
                            .source = "jackett",
                            .created_at = b.now(),
                            .removed_at = {}}));
  CHECK((catalog(b).assets_of(id) == assets));
  CHECK((catalog(b).book("b1") == Book{"b1", "Dune", "library"}));
}

TEST_CASE(
    "S0-22: a book that was not there before is made when it lands; without a title it is its id") {
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
    CHECK((lost.removed_at == b.now()));
    CHECK(catalog(b).book("b1")->shelf == "archive");
    const Event noted = b.store().events().of(lost.job, {}, 100).back();
    CHECK(noted.type == "ASSET_LOST");
    CHECK(noted.data.find(R"("path":"/books/dune.epub")") != std::string::npos);
  }
}

TEST_CASE(
    "S0-28: a book stays in the library until its last file is gone, and comes back with one") {
  Bench b;
  land(b, kText);
  land(b, audio());
  const std::vector<Asset> assets = catalog(b).assets_of("b1");  // Sorted by kind: audio, text.
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

TEST_CASE("S4-6: an asset without a book belongs to its job, once") {
  Bench b;
  const JobId image = b.reach(kImage, "completed");
  const JobId media = b.reach(kMedia, "imported");

  for (const JobId id : {image, media}) {
    const std::vector<Asset> assets = catalog(b).assets_of(id);
    REQUIRE(assets.size() == 1);
    CHECK(assets[0].book.empty());
    CHECK(assets[0].path == "/library/" + std::to_string(id.value));
  }
  CHECK(catalog(b).books({}).books.empty());
}

TEST_CASE("S1-17: a media job that is retried and imported again has one asset, the new one") {
  Bench b;
  const JobId id = b.reach(kMedia, "imported");
  for (const On on : {On::fail, On::retry, On::started, On::fetched})
    REQUIRE(b.ask(id, on).has_value());
  b.claim(kMedia);
  Ask ask = b.draft(id, On::landed);
  ask.assets.front().path = "/library/again";
  REQUIRE(b.ask(ask).has_value());

  const std::vector<Asset> assets = catalog(b).assets_of(id);
  REQUIRE(assets.size() == 1);
  CHECK(assets[0].path == "/library/again");
}

TEST_CASE("S1-17: a job records every file; one that lands again with fewer keeps only those") {
  Bench b;
  const JobId id = b.reach(kMedia, "completed");
  Ask ask = b.draft(id, On::landed);
  AssetFacts second = ask.assets.front();
  second.path = "/library/second";
  ask.assets.push_back(second);
  REQUIRE(b.ask(ask).has_value());
  REQUIRE(catalog(b).assets_of(id).size() == 2);
  CHECK(catalog(b).assets_of(id)[1].path == "/library/second");

  for (const On on : {On::fail, On::retry, On::started, On::fetched})
    REQUIRE(b.ask(id, on).has_value());
  b.claim(kMedia);
  REQUIRE(b.ask(b.draft(id, On::landed)).has_value());
  const std::vector<Asset> assets = catalog(b).assets_of(id);
  REQUIRE(assets.size() == 2);
  CHECK(assets[0].status == "available");
  CHECK(assets[1].status == "missing");
  CHECK(assets[1].path.empty());
}

TEST_CASE("promise 11: a job's 1,001st file is on the second page; 1,000 files have no second") {
  for (const std::size_t files : {std::size_t{1'000}, std::size_t{1'001}}) {
    Bench b;
    const JobId id = b.reach(kMedia, "completed");
    Ask ask = b.draft(id, On::landed);
    const AssetFacts one = ask.assets.front();
    ask.assets.clear();
    for (std::size_t i = 1; i <= files; ++i) {
      ask.assets.push_back(one);
      ask.assets.back().path = "/library/" + std::to_string(i);
    }
    REQUIRE(b.ask(ask).has_value());

    const std::vector<Asset> first = catalog(b).assets_of(id);
    const std::vector<Asset> second = catalog(b).assets_of(id, first.back().id);

    CAPTURE(files);
    CHECK(first.size() == 1'000);
    CHECK(first.back().path == "/library/1000");
    REQUIRE(second.size() == files - 1'000);
    if (!second.empty()) CHECK(second.back().path == "/library/1001");
  }
}

TEST_CASE("promise 7: an asset without a path has not arrived") {
  Bench b;
  const JobId id = b.reach(kBook, "downloading");
  Ask ask = b.draft(id, On::landed);
  const AssetFacts whole = ask.assets.front();
  ask.assets.front().path = "";
  CHECK_FALSE(b.ask(ask).has_value());

  ask.assets = {whole, ask.assets.front()};  // One of two has no path.
  CHECK_FALSE(b.ask(ask).has_value());
  ask.assets.clear();
  CHECK_FALSE(b.ask(ask).has_value());
}

TEST_CASE("books are paged by title, in any case, then by id; assets by id") {
  Bench b;
  for (const auto& [id, title] : std::initializer_list<std::pair<const char*, const char*>>{
           {"1", "emma"}, {"2", "Dune"}, {"3", "Emma"}, {"4", "dracula"}})
    catalog(b).ensure_book(id, title);

  const BookPage first = catalog(b).books({.shelf = {}, .q = {}, .after = {}, .limit = 2});
  CHECK(ids(first) == "4 2");
  CHECK(first.next == "2");
  const BookPage second = catalog(b).books({.shelf = {}, .q = {}, .after = "2", .limit = 2});
  CHECK(ids(second) == "1 3");
  CHECK(second.next.empty());
  CHECK(ids(catalog(b).books({.shelf = {}, .q = {}, .after = "3"})).empty());
  CHECK(ids(catalog(b).books({.shelf = {}, .q = {}, .after = "unknown"})).empty());

  land(b, kText);
  land(b, audio());
  const std::vector<Asset> all = catalog(b).assets({});
  REQUIRE(all.size() == 2);
  CHECK(
      (catalog(b).assets({.owner = {}, .status = {}, .after = all[0].id}) == std::vector{all[1]}));
  CHECK(catalog(b).assets({.owner = {}, .status = {}, .after = {}, .limit = 1}).size() == 1);
}

TEST_CASE("books are found by shelf, and by a part of their title or id") {
  Bench b;
  catalog(b).ensure_book("isbn-7", "Emma");
  land(b, kText);

  CHECK(ids(catalog(b).books({.shelf = "library"})) == "b1");
  CHECK(catalog(b).books({.shelf = "archive"}).books.size() ==
        catalog(b).books({}).books.size() - 1);
  CHECK(ids(catalog(b).books({.shelf = {}, .q = "EMM"})) == "isbn-7");
  CHECK(ids(catalog(b).books({.shelf = {}, .q = "bn-7"})) == "isbn-7");
  CHECK(ids(catalog(b).books({.shelf = "library", .q = "emma"})).empty());
  CHECK(ids(catalog(b).books({.shelf = {}, .q = "%"})).empty());
  CHECK(catalog(b).shelves().library == 1);
}

TEST_CASE("promise 17: a search looks at 20,000 books a page, and goes on where it stopped") {
  Bench b;
  for (int i = 1; i < 20'000; ++i) catalog(b).ensure_book(std::to_string(i), "common");
  catalog(b).ensure_book("last", "rare");

  const BookPage whole = catalog(b).books({.shelf = {}, .q = "rare"});
  CHECK(ids(whole) == "last");
  CHECK(whole.next.empty());
  CHECK(whole.searched == 20'000);

  catalog(b).ensure_book("one-more", "common");
  const BookPage first = catalog(b).books({.shelf = {}, .q = "rare"});
  CHECK(first.books.empty());
  CHECK(first.next == "one-more");
  const BookPage second = catalog(b).books({.shelf = {}, .q = "rare", .after = first.next});
  CHECK(ids(second) == "last");
  CHECK(second.next.empty());
  CHECK(second.searched == 1);
}

TEST_CASE("a page of found books has a next one only if another book matches") {
  Bench b;
  catalog(b).ensure_book("1", "Emma");
  catalog(b).ensure_book("2", "Zorro");

  CHECK(catalog(b).books({.shelf = {}, .q = "emma", .after = {}, .limit = 1}).next.empty());
  catalog(b).ensure_book("3", "Emma again");
  CHECK(catalog(b).books({.shelf = {}, .q = "emma", .after = {}, .limit = 1}).next == "1");
  CHECK(catalog(b).books({}).searched == 0);
}

TEST_CASE("a book is known from the moment its job is added, and knows its jobs, newest first") {
  Bench b;
  const std::string request =
      R"({"book_id":"b9","title":"Dune","media_type":"text","uri":"magnet:?x","source":"s"})";
  const User other = b.store().users().add("other", Role::adder, b.now()).value();
  const NewJob wanted{.lifecycle = &kBook, .owner = UserId{1}, .request = request};
  const NewJob theirs{.lifecycle = &kBook, .owner = other.id, .request = request};
  const JobId first = b.add(wanted).value().id;
  const JobId second = b.add(theirs).value().id;
  const JobId third = b.add(wanted).value().id;

  CHECK((catalog(b).book("b9") == Book{"b9", "Dune", "archive"}));
  CHECK((catalog(b).jobs_of({.book = "b9"}) == std::vector{third, second, first}));
  CHECK((catalog(b).jobs_of({.book = "b9", .owner = other.id}) == std::vector{second}));
  CHECK((catalog(b).jobs_of({.book = "b9", .owner = {}, .before = third, .limit = 1}) ==
         std::vector{second}));
  REQUIRE(b.ask(first, On::fail).has_value());
  CHECK((catalog(b).jobs_of({.book = "b9", .owner = {}, .before = {}, .open_only = true}) ==
         std::vector{third, second}));
  CHECK(catalog(b).jobs_of({.book = "b1"}).empty());
}

TEST_CASE("assets are found by whose job they are of, and by their status") {
  Bench b;
  land(b, kText);
  land(b, audio());
  b.reach(kImage, "completed");
  const std::vector<Asset> all = catalog(b).assets({});
  REQUIRE(all.size() == 3);
  REQUIRE(catalog(b).lose(all[0].id, AssetLoss::missing, b.now()));

  CHECK(catalog(b).assets({.owner = all[0].owner}).size() == 3);
  CHECK(catalog(b).assets({.owner = UserId{77}}).empty());
  CHECK((catalog(b).assets({.owner = {}, .status = "missing"}).at(0).id == all[0].id));
  const std::vector<Asset> shelved = catalog(b).shelved({}, 10);
  REQUIRE(shelved.size() == 1);
  CHECK((shelved[0] == all[1]));
  CHECK(catalog(b).shelved(all[1].id, 10).empty());
}

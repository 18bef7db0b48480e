#include "bot/sync.h"

#include <doctest/doctest.h>

#include <map>

#include "support/store/bench.h"

namespace haul::bot {
namespace {

using testing::Bench;

struct SyncScene {
  Bench b;
  BotCatalogue& catalogue = b.store().bot().catalogue();
  std::map<std::string, std::vector<ListedPage::Entry>> disk;
  std::string broken;  // Listing this folder fails.
  std::size_t asked = 0;

  ListedPage page(const ListRequest& ask) {
    const auto& all = disk[ask.path];
    ListedPage page{.total = all.size()};
    for (std::size_t i = ask.offset; i < std::min(all.size(), ask.offset + ask.limit); ++i)
      page.entries.push_back(all[i]);
    return page;
  }
  SyncEnd run(CatalogueSync& sync) {
    sync.begin(b.now());
    for (int i = 0; i < 1'000; ++i) {
      const ListRequest ask = sync.next().value();
      ++asked;
      const auto end = sync.see(
          ask.path == broken
              ? Result<ListedPage>{std::unexpected{Fault{FaultKind::retryable, "timeout", ""}}}
              : page(ask),
          b.now());
      if (end) return *end;
    }
    return {.why = "endless"};
  }
  SyncEnd run() {
    CatalogueSync sync{catalogue, "disk:/"};
    return run(sync);
  }
  void put(const std::string& folder, const std::string& name, bool is_folder = false) {
    const std::string path = folder + (folder.ends_with('/') ? "" : "/") + name;
    disk[folder].push_back({path, name, is_folder, is_folder ? 0 : 10});
  }
  std::size_t files() { return catalogue.search("f", {.offset = 0, .limit = 1}).total; }
};

}  // namespace

TEST_CASE("S3-25: all pages of all folders are listed") {
  SyncScene s;
  s.put("disk:/", "A", true);
  s.put("disk:/A", "B", true);
  for (int i = 0; i < 450; ++i) s.put("disk:/A/B", "f" + std::to_string(i));
  const SyncEnd end = s.run();
  CHECK(end.is_whole);
  CHECK(end.entries == 452);
  CHECK(s.files() == 450);
  CHECK(s.asked == 5);
}

TEST_CASE("S3-25: a folder that cannot be listed removes nothing, and the next round does") {
  SyncScene s;
  s.put("disk:/", "A", true);
  for (int i = 0; i < 3; ++i) s.put("disk:/A", "f" + std::to_string(i));
  REQUIRE(s.run().is_whole);

  s.disk["disk:/A"].pop_back();
  s.broken = "disk:/A";
  CHECK(s.run().why == "timeout");
  CHECK(s.files() == 3);

  s.broken.clear();
  const SyncEnd end = s.run();
  CHECK(end.is_whole);
  CHECK(end.gone == 1);
  CHECK(s.files() == 2);
}

TEST_CASE("S3-25: a folder that cannot be listed, or not whole, hides no other folder") {
  SyncScene s;
  for (const char* name : {"A", "B", "C"}) {
    s.put("disk:/", name, true);
    s.put(std::string{"disk:/"} + name, std::string{"f"} + name);
  }
  REQUIRE(s.run().is_whole);
  s.put("disk:/C", "fNew");
  s.disk["disk:/B"].clear();
  s.broken = "disk:/A";
  const SyncEnd end = s.run();
  CHECK_FALSE(end.is_whole);
  CHECK(end.folder == "disk:/A");
  CHECK(s.files() == 4);

  CatalogueSync sync{s.catalogue, "disk:/"};
  sync.begin(s.b.now());
  ListedPage root = s.page({"disk:/", 0});
  root.lacks = Fault{FaultKind::permanent, "disk_garbage", ""};
  CHECK_FALSE(sync.see(root, s.b.now()));
  for (const char* folder : {"disk:/A", "disk:/B"})
    CHECK_FALSE(sync.see(s.page({folder, 0}), s.b.now()));
  const auto last = sync.see(s.page({"disk:/C", 0}), s.b.now());
  CHECK(last->why == "disk_garbage");
  CHECK(last->folder == "disk:/");
  CHECK_FALSE(last->may_pass);
  CHECK(s.files() == 4);
}

TEST_CASE("S3-25: a disk that is out ends the round at once") {
  SyncScene s;
  s.put("disk:/", "A", true);
  CatalogueSync sync{s.catalogue, "disk:/"};
  sync.begin(s.b.now());
  CHECK_FALSE(sync.see(s.page({"disk:/", 0}), s.b.now()));
  const Fault out{FaultKind::environment, "disk_unauthorised", ""};
  CHECK(sync.see(std::unexpected{out}, s.b.now())->why == "disk_unauthorised");
  CHECK_FALSE(sync.is_running());
}

TEST_CASE("S3-25: a short page, a folder that changes and too many entries remove nothing") {
  SyncScene s;
  for (int i = 0; i < 250; ++i) s.put("disk:/", "f" + std::to_string(i));
  REQUIRE(s.run().is_whole);

  CatalogueSync shorter{s.catalogue, "disk:/"};
  shorter.begin(s.b.now());
  CHECK_FALSE(shorter.see(s.page({"disk:/", 0}), s.b.now()));
  CHECK(shorter.see(ListedPage{.total = 250}, s.b.now())->why == "short_listing");

  CatalogueSync changing{s.catalogue, "disk:/"};
  changing.begin(s.b.now());
  CHECK_FALSE(changing.see(s.page({"disk:/", 0}), s.b.now()));
  s.disk["disk:/"].pop_back();
  CHECK(changing.see(s.page({"disk:/", 200}), s.b.now())->why == "changed_meanwhile");

  CatalogueSync large{s.catalogue, "disk:/", 249};
  s.put("disk:/", "f250");
  CHECK(s.run(large).why == "too_many_entries");
  CHECK(s.files() == 250);
}

TEST_CASE("an empty disk is a whole listing") {
  SyncScene s;
  s.put("disk:/", "f");
  REQUIRE(s.run().is_whole);
  s.disk["disk:/"].clear();
  CHECK(s.run().gone == 1);
  CHECK(s.files() == 0);
}

}  // namespace haul::bot

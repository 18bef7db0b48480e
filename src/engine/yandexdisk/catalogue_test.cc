#include "engine/yandexdisk/catalogue.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <future>

#include "support/server/disk_bench.h"

namespace haul::testing {
namespace {

struct CatalogueScene {
  explicit CatalogueScene(int files) {
    for (int i = 0; i < files; ++i) disk.put(fmt::format("disk:/b/{:04}.pdf", i), {.zeros = i + 1});
  }

  Result<yandexdisk::DiskListing> list(const std::string& folder) {
    std::promise<Result<yandexdisk::DiskListing>> answer;
    catalogue->list(folder, [&](Result<yandexdisk::DiskListing> listing) {
      answer.set_value(std::move(listing));
    });
    return answer.get_future().get();
  }

  FakeYandex disk;
  MemoryKeeper keeper;
  TurnedClock clock;
  std::unique_ptr<io::HttpLoop> loop = io::make_http_loop(clock);
  std::unique_ptr<yandexdisk::DiskCatalogue> catalogue =
      yandexdisk::make_disk_catalogue({*loop, clock, keeper}, settings_for(disk));
};

}  // namespace

TEST_CASE("S3-25: a folder is listed with all its pages") {
  CatalogueScene s{450};
  const auto listing = s.list("/b");
  REQUIRE(listing);
  CHECK(listing->is_complete);
  REQUIRE(listing->entries.size() == 450);
  CHECK(listing->entries[449].path == "disk:/b/0449.pdf");
  CHECK(listing->entries[449].size == 450);
  CHECK(s.disk.count(DiskRoute::list) == 3);

  const auto root = s.list("/");
  REQUIRE(root);
  REQUIRE(root->entries.size() == 1);
  CHECK_FALSE(root->entries[0].is_file);
}

TEST_CASE("S3-25: a listing that lacks a page says so; without a first page it is a fault") {
  CatalogueScene s{450};
  s.disk.act(DiskRoute::list, {});
  s.disk.act(DiskRoute::list, {.status = 503});
  const auto listing = s.list("/b");
  REQUIRE(listing);
  CHECK_FALSE(listing->is_complete);
  CHECK(listing->why_not.code == "disk_unavailable");
  CHECK(listing->entries.size() == 200);

  s.disk.act(DiskRoute::list, {.status = 503});
  CHECK(s.list("/b").error().code == "disk_unavailable");
  CHECK(s.list("/none").error().code == "disk_not_found");
  CHECK(s.list("b").error().code == "bad_path");
}

TEST_CASE("S3-25: an entry without a size is left out, and the listing is not complete") {
  CatalogueScene s{1};
  s.disk.act(DiskRoute::list,
             {.body = R"({"_embedded":{"items":[{"name":"a","path":"disk:/b/a","type":"file"},)"
                      R"({"name":"c","path":"disk:/b/c","type":"file","size":1}],"total":2}})"});
  const auto listing = s.list("/b");
  REQUIRE(listing);
  CHECK_FALSE(listing->is_complete);
  CHECK(listing->why_not.code == "disk_garbage");
  REQUIRE(listing->entries.size() == 1);
  CHECK(listing->entries[0].path == "disk:/b/c");
}

TEST_CASE("S3-25: a folder that changes between two pages is not complete") {
  for (const char* second :
       {R"({"_embedded":{"items":[],"total":450}})", R"({"_embedded":{"items":[],"total":451}})",
        R"({"_embedded":{"items":[{"name":"0000.pdf","path":)"
        R"("disk:/b/0000.pdf","type":"file","size":1}],"total":450}})"}) {
    CatalogueScene s{450};
    s.disk.act(DiskRoute::list, {});
    s.disk.act(DiskRoute::list, {.body = second});
    const auto listing = s.list("/b");
    REQUIRE(listing);
    CHECK_FALSE(listing->is_complete);
    CHECK(listing->why_not.code == "folder_changed");
  }
}

}  // namespace haul::testing

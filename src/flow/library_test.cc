#include "flow/library.h"

#include <doctest/doctest.h>

#include <map>

#include "support/script.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

// A book that arrived as /d/N.
JobId arrived(Stage& s, const std::string& path) {
  const JobId id = s.add(kBook);
  s.tick();
  s.reply("client.start", Accepted{.handle = "hash"});
  s.reply("client.look", whole(path));
  return id;
}

}  // namespace

TEST_CASE("S0-28: a book whose file is gone is missing, keeps its source, and is in the archive") {
  Stage s;
  const JobId kept = arrived(s, "/d/1");
  const JobId lost = arrived(s, "/d/2");
  LibraryCheck check{s.store(), [](const std::string& path) {
                       return path == "/d/2" ? Presence::gone : Presence::there;
                     }};

  const LibraryLook look = check.run(s.clock.now());

  CHECK(look.looked == 2);
  CHECK(look.lost.size() == 1);
  const Asset asset = s.store().catalog().assets_of(lost).at(0);
  CHECK(asset.status == "missing");
  CHECK(asset.path.empty());
  CHECK(asset.source_url == "https://t/1");
  CHECK(s.store().catalog().book("b2")->shelf == "archive");
  CHECK(s.store().catalog().assets_of(kept).at(0).status == "available");
  CHECK(s.store().catalog().book("b1")->shelf == "library");
  CHECK(check.run(s.clock.now()).looked == 1);
}

TEST_CASE("S0-28: a disk that may be missing takes two looks in a row, and one sight undoes it") {
  Stage s;
  const JobId id = arrived(s, "/d/1");
  Presence seen = Presence::unsure;
  LibraryCheck check{s.store(), [&](const std::string&) { return seen; }};
  const auto status = [&] { return s.store().catalog().assets_of(id).at(0).status; };

  CHECK(check.run(s.clock.now()).unsure.size() == 1);
  seen = Presence::there;
  check.run(s.clock.now());
  seen = Presence::unsure;
  check.run(s.clock.now());
  CHECK(status() == "available");
  check.run(s.clock.now());
  CHECK(status() == "missing");
}

TEST_CASE("S0-15, S0-28: a book that was lost may be fetched again, and is available again") {
  Stage s;
  const std::string request = full_request(kBook, 5);
  const JobId first = s.add(kBook, {.request = request});
  s.tick();
  s.reply("client.start", Accepted{.handle = "hash"});
  s.reply("client.look", whole("/d/1"));
  LibraryCheck{s.store(), [](const std::string&) { return Presence::gone; }}.run(s.clock.now());

  const JobId second = s.add(kBook, {.request = request});
  CHECK(second != first);
  s.tick();
  s.reply("client.start", Accepted{.handle = "hash"});
  s.reply("client.look", whole("/d/2"));

  const std::vector<Asset> assets = s.store().catalog().assets_of("b5");
  REQUIRE(assets.size() == 1);
  CHECK(assets.front().status == "available");
  CHECK(assets.front().path == "/d/2");
  CHECK(s.store().catalog().book("b5")->shelf == "library");
}

}  // namespace haul::testing

#include "base/path_map.h"

#include <doctest/doctest.h>

namespace haul {
namespace {

PathMap map_of(const std::vector<std::string>& entries) { return PathMap::parse(entries).value(); }

std::string here(const PathMap& map, std::string_view theirs) {
  const auto path = map.here(theirs);
  return path ? path->string() : "nowhere";
}

std::string there(const PathMap& map, std::string_view ours) {
  const auto path = map.there(ours);
  return path ? path->string() : "nowhere";
}

}  // namespace

TEST_CASE("paths are mapped by whole components, the longest entry first") {
  const PathMap map = map_of({"/media=/srv/m", "/media/books/=/b"});
  CHECK(here(map, "/media/x") == "/srv/m/x");
  CHECK(here(map, "/media") == "/srv/m");
  CHECK(here(map, "/media2/x") == "nowhere");
  CHECK(here(map, "/media/books/x") == "/b/x");
  CHECK(here(map, "/media/books2/x") == "/srv/m/books2/x");
  CHECK(here(map, "/other") == "nowhere");
}

TEST_CASE("S1-20: the same entries lead back, by the longest of haul's folders") {
  const PathMap map = map_of({"/data=/srv", "/films=/srv/library/films"});
  CHECK(there(map, "/srv/library/films/a.mkv") == "/films/a.mkv");
  CHECK(there(map, "/srv/library/films2/a.mkv") == "/data/library/films2/a.mkv");
  CHECK(there(map, "/srv") == "/data");
  CHECK(there(map, "/srv2/a") == "nowhere");
  CHECK(there(map, "/films/a.mkv") == "nowhere");
}

TEST_CASE("of two names for one folder of haul's, the first one leads back") {
  const PathMap map = map_of({"/a=/srv/m", "/b=/srv/m"});
  CHECK(there(map, "/srv/m/x") == "/a/x");
  CHECK(here(map, "/b/x") == "/srv/m/x");
}

TEST_CASE("a map without entries maps nothing, the identity map every path to itself") {
  const PathMap same = map_of({"identity"});
  CHECK(here(PathMap{}, "/a/b") == "nowhere");
  CHECK(there(map_of({}), "/a/b") == "nowhere");
  CHECK(here(same, "/a/b") == "/a/b");
  CHECK(there(same, "/a/b") == "/a/b");
  CHECK(here(PathMap::identity(), "/a/b") == "/a/b");
}

TEST_CASE("C12: doubled slashes and dots are nothing") {
  CHECK(here(PathMap::identity(), "/a//b/./c/") == "/a/b/c");
  CHECK(here(map_of({"/a//b/=/c/./d"}), "/a/b//x") == "/c/d/x");
  CHECK(there(map_of({"/a//b/=/c/./d"}), "/c/d//x/") == "/a/b/x");
}

TEST_CASE("Q21: what climbs, is relative, empty or the root is nowhere") {
  for (const char* path : {"", "/", "//", "/.", "a/b", "../x", "/a/../b", "/a/..", "C:\\x"}) {
    CHECK_MESSAGE(here(PathMap::identity(), path) == "nowhere", path);
    CHECK_MESSAGE(there(PathMap::identity(), path) == "nowhere", path);
  }
  CHECK(here(PathMap::identity(), std::string_view{"/a\0b", 4}) == "nowhere");
}

TEST_CASE("a map that is none is refused, and so is identity beside an entry") {
  for (const char* entry : {"", "/a", "/a=", "=/b", "a=/b", "/a=b", "/=/b", "/a=/", "/a/..=/b"}) {
    const std::vector<std::string> entries{entry};
    CHECK_MESSAGE(!PathMap::parse(entries).has_value(), entry);
  }
  const std::vector<std::string> both{"identity", "/a=/b"};
  const auto refused = PathMap::parse(both, "sink.plex.path_map");
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().code == "bad_config");
  CHECK(refused.error().detail.starts_with("sink.plex.path_map: 'identity': expected"));
}

}  // namespace haul

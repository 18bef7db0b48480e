#include "sink/plex/requests.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace haul::plex {
namespace {

const PlexSettings kSettings{.url = "http://plex:32400", .token = "plex-secret"};
const ServerLibrary kFilms{"1", "movie", {"/media/films"}};
const ServerLibrary kSeries{"2", "series", {"/media/series"}};

bool has_header(const ServerCall& call, const std::string& header) {
  return std::ranges::find(call.headers, header) != call.headers.end();
}

}  // namespace

TEST_CASE("the token is in a header and never in an address") {
  for (const ServerCall& call :
       {ask_sections(kSettings), ask_refresh(kSettings, kFilms, "/media/films/a"),
        ask_by_title(kSettings, kFilms, "A", 10), ask_newest(kSettings, kSeries, 10),
        ask_all_leaves(kSettings, "7", 10), ask_season(kSettings, "7", 10)}) {
    CHECK(has_header(call, "X-Plex-Token: plex-secret"));
    CHECK(has_header(call, "Accept: application/json"));
    CHECK(has_header(call, "X-Plex-Client-Identifier: haul"));
    CHECK(call.target.find("plex-secret") == std::string::npos);
    CHECK(call.method == "GET");
  }
  CHECK(ask_identity(kSettings).target == "/identity");
  CHECK_FALSE(has_header(ask_identity(kSettings), "X-Plex-Token: plex-secret"));
}

TEST_CASE("a scan names a folder, or nothing for the whole library") {
  CHECK(ask_refresh(kSettings, kFilms, "/media/films/Ä & B (2020)").target ==
        "/library/sections/1/refresh?path=%2Fmedia%2Ffilms%2F%C3%84%20%26%20B%20%282020%29");
  CHECK(ask_refresh(kSettings, kFilms, "").target == "/library/sections/1/refresh");
}

TEST_CASE("films are asked for by title, episodes by the title of their series") {
  CHECK(ask_by_title(kSettings, kFilms, "A&B=1", 100)
            .target.starts_with("/library/sections/1/all?type=1&title=A%26B%3D1&sort=addedAt%3A"
                                "desc&X-Plex-Container-Start=0&X-Plex-Container-Size=100&"));
  CHECK(ask_by_title(kSettings, kSeries, "A", 100)
            .target.starts_with("/library/sections/2/all?type=4&show.title=A&"));
  CHECK(ask_newest(kSettings, kSeries, 200)
            .target.starts_with("/library/sections/2/all?type=4&sort=addedAt%3Adesc&"
                                "X-Plex-Container-Start=0&X-Plex-Container-Size=200&"));
  CHECK(ask_all_leaves(kSettings, "7", 250).target.starts_with("/library/metadata/7/allLeaves?"));
  CHECK(ask_season(kSettings, "8", 250).target.starts_with("/library/metadata/8/children?"));
}

TEST_CASE("a folder is browsed by its path in Base64, which is encoded once more") {
  const ServerCall call = ask_browse(kSettings, "/media/a~");
  CHECK(call.target == "/services/browse/L21lZGlhL2F%2B?includeFiles=1");
  CHECK(has_header(call, "X-Plex-Token: plex-secret"));
  CHECK(call.not_found == "cannot_list");
}

}  // namespace haul::plex

#include "sink/server/matches.h"

#include <doctest/doctest.h>

namespace haul::media_server {
namespace {

const ServerLibrary kFilms{"1", "movie", {"/films"}};
const ServerLibrary kSeries{"2", "series", {"/series"}};

FindFiles wanted(std::vector<WantedFile> files) {
  return {.kind = "movie", .title = "A", .season = {}, .files = std::move(files)};
}

}  // namespace

TEST_CASE("S1-10: a listed file counts only with the same path and the same size") {
  LibrarySearch search{kFilms};
  search.add({"/srv/a.mkv", 10}, "/films/a.mkv");

  for (const ListedFile& decoy : std::vector<ListedFile>{{"/films/old/a.mkv", 10},
                                                         {"/films/a.mkv", 9},
                                                         {"/films/a.mkv", -1},
                                                         {"/films/A.mkv", 10},
                                                         {"/films/a.mkv/", 10},
                                                         {"/srv/a.mkv", 10}}) {
    search.see(std::vector{decoy});
    CHECK_MESSAGE(!search.is_over(), decoy.path);
  }
  search.see(std::vector<ListedFile>{{"/films/a.mkv", 9}, {"/films/a.mkv", 10}});
  CHECK(search.is_over());
  CHECK(search.found() == std::vector<WantedFile>{{"/srv/a.mkv", 10}});
}

TEST_CASE("a search has the files of one library, and what is found keeps the job's order") {
  const FindFiles all = wanted({{"/srv/c", 3}, {"/srv/s", 4}, {"/srv/a", 1}});
  std::vector<LibrarySearch> searches =
      searches_for(all, {{"/films/c", kFilms}, {"/series/s", kSeries}, {"/films/a", kFilms}});
  REQUIRE(searches.size() == 2);

  searches[0].see(std::vector<ListedFile>{{"/films/a", 1}, {"/films/c", 3}, {"/series/s", 4}});
  CHECK(searches[0].is_over());
  CHECK_FALSE(searches[1].is_over());
  CHECK(found_files(all, searches) == std::vector<PlacedFile>{{"/srv/c", 3}, {"/srv/a", 1}});

  searches[1].see_all();
  CHECK(found_files(all, searches).size() == 3);
}

TEST_CASE("titles are the same in whatever case, and without blanks at their ends") {
  CHECK(is_same_title("Emma", " eMMA\t"));
  CHECK(is_same_title("", " "));
  CHECK_FALSE(is_same_title("Emma", "Emma 2"));
  CHECK_FALSE(is_same_title("The Film", "TheFilm"));
}

TEST_CASE("a file beside a wanted one is known by its folder") {
  LibrarySearch search{kSeries};
  search.add({"/srv/s/1/a", 1}, "/series/s/1/a");
  CHECK(search.is_beside("/series/s/1/b"));
  CHECK_FALSE(search.is_beside("/series/s/2/b"));
  CHECK_FALSE(search.is_beside("/series/s/1/more/b"));
}

}  // namespace haul::media_server

#include "sink/server/library.h"

#include <doctest/doctest.h>

namespace haul::media_server {
namespace {

// "1", "1 itself" or "none".
std::string chosen(const std::vector<ServerLibrary>& libraries, const std::string& path,
                   std::string_view kind = "movie") {
  const LibraryMatch match = library_of(libraries, path, kind);
  if (!match.library) return "none";
  return match.library->id + (match.is_folder_itself ? " itself" : "");
}

}  // namespace

TEST_CASE("S1-20: the library with the longest folder counts, on a separator boundary") {
  const std::vector<ServerLibrary> libraries{{"1", "movie", {"/media/"}},
                                             {"2", "movie", {"/media/films", "/more"}},
                                             {"3", "series", {"/media/films/series"}}};
  CHECK(chosen(libraries, "/media/a/b.mkv") == "1");
  CHECK(chosen(libraries, "/media/films/a/b.mkv") == "2");
  CHECK(chosen(libraries, "/media/films2/a.mkv") == "1");
  CHECK(chosen(libraries, "/media/films/series/a.mkv") == "3");
  CHECK(chosen(libraries, "/more/a.mkv") == "2");
  CHECK(chosen(libraries, "/moreover/a.mkv") == "none");
  CHECK(chosen(libraries, "/a.mkv") == "none");
  CHECK(chosen({}, "/media/a.mkv") == "none");
}

TEST_CASE("a library's own folder is told from what is inside it") {
  const std::vector<ServerLibrary> libraries{{"1", "movie", {"/media/films/"}}};
  CHECK(chosen(libraries, "/media/films") == "1 itself");
  CHECK(chosen(libraries, "/media/films/a") == "1");
  CHECK(chosen(libraries, "/media") == "none");
}

TEST_CASE("of two libraries with the same folder, the one of the wanted kind counts") {
  const std::vector<ServerLibrary> libraries{
      {"1", "", {"/media"}}, {"2", "series", {"/media"}}, {"3", "movie", {"/media"}}};
  CHECK(chosen(libraries, "/media/a", "movie") == "3");
  CHECK(chosen(libraries, "/media/a", "series") == "2");
  CHECK(chosen(libraries, "/media/a", "") == "1");
  CHECK(chosen({libraries.begin(), libraries.begin() + 2}, "/media/a", "movie") == "1");
}

TEST_CASE("a library's folder that is relative, climbs or is the root contains nothing") {
  for (const char* folder : {"", "/", "media", "/media/..", "C:\\media"})
    CHECK_MESSAGE(chosen({{"1", "movie", {folder}}}, "/media/a") == "none", folder);
}

TEST_CASE("an id that may be part of a path has letters, digits and dashes only") {
  for (const char* id : {"1", "0a1b-2C", "-"}) CHECK(is_plain_id(id));
  for (const char* id : {"", "a/b", "..", "a b", "a%2f", "é"}) CHECK_FALSE(is_plain_id(id));
  CHECK(is_plain_id(std::string(64, 'a')));
  CHECK_FALSE(is_plain_id(std::string(65, 'a')));
}

}  // namespace haul::media_server

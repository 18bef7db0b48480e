#include "io/file/source_look.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <fstream>
#include <vector>

#include "support/io/temp_folder.h"

namespace haul::testing {

namespace fs = std::filesystem;

TEST_CASE("a path belongs to the longest root that has it inside, by whole components") {
  const std::vector<fs::path> roots{"/in", "/in/films", "/other"};

  CHECK(*io::root_of("/in/a", roots) == "/in");
  CHECK(*io::root_of("/in/films/a", roots) == "/in/films");
  CHECK(*io::root_of("/in/films2/a", roots) == "/in");
  CHECK(io::root_of("/in2/a", roots) == nullptr);
  CHECK(*io::root_of("/in/films", roots) == "/in");  // The root itself is no file of it.
  CHECK(io::root_of("/in", roots) == nullptr);
  CHECK(io::root_of("/in/a", {}) == nullptr);
}

TEST_CASE("Z-4: a file is seen with the identity that a clean compares") {
  const TempFolder temp;
  fs::create_directories(temp / "a/b");
  const fs::path film = temp / "a/b/film.mkv";
  std::ofstream{film} << "0123456789";
  struct stat about{};
  REQUIRE(::stat(film.c_str(), &about) == 0);
  io::SourceLooker looker{"the client"};

  const auto seen = looker.look(temp.path(), film, 10);
  REQUIRE(seen.has_value());
  CHECK(seen->root == temp.path().string());
  CHECK(seen->path == "a/b/film.mkv");
  CHECK(seen->size == 10);
  CHECK(seen->inode == static_cast<std::int64_t>(about.st_ino));

  const auto code = [&](const fs::path& path, std::int64_t size) {
    const auto looked = looker.look(temp.path(), path, size);
    return looked ? std::string{"seen"} : looked.error().code;
  };
  CHECK(code(film, 9) == "size_differs");
  CHECK(looker.look(temp.path(), film, 11).error().detail.ends_with("but the client says 11"));
  CHECK(code(temp / "a/b/none.mkv", 10) == "asset_pending");
  CHECK(code(temp / "none/film.mkv", 10) == "asset_pending");
  CHECK(code(temp / "a/b", 10) == "path_refused");
  fs::create_symlink(film, temp / "link.mkv");
  CHECK(code(temp / "link.mkv", 10) == "path_refused");
  fs::create_directory_symlink(temp / "a", temp / "way");
  CHECK(code(temp / "way/b/film.mkv", 10) == "path_refused");
}

}  // namespace haul::testing

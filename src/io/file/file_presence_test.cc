// Whether a file is there, gone or unknown.

#include "io/file/file_presence.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "support/io/temp_folder.h"

using namespace haul;
using namespace haul::testing;
using Is = FilePresence::Is;

namespace {

void put(const std::filesystem::path& file) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream{file} << "x";
}

}  // namespace

TEST_CASE("a file is there, and so is a folder with something in it") {
  const TempFolder folder;
  put(folder / "dune/dune.epub");

  CHECK(io::presence_of((folder / "dune/dune.epub").string()).is == Is::there);
  CHECK(io::presence_of((folder / "dune").string()).is == Is::there);
}

TEST_CASE("what is gone says what is left: a folder with others in it, or a bare one") {
  const TempFolder folder;
  put(folder / "emma.epub");

  const FilePresence beside = io::presence_of((folder / "dune.epub").string());
  CHECK(beside.is == Is::gone);
  CHECK(beside.folder == folder.path().string());
  CHECK_FALSE(beside.is_bare);
  const FilePresence above = io::presence_of((folder / "dune/text/dune.epub").string());
  CHECK(above.folder == folder.path().string());
  CHECK_FALSE(above.is_bare);

  std::filesystem::remove(folder / "emma.epub");
  CHECK(io::presence_of((folder / "dune.epub").string()).is_bare);
  CHECK(io::presence_of(folder.path().string()).is == Is::gone);
}

TEST_CASE("a file where a folder was is gone; what cannot be looked at is unknown") {
  const TempFolder folder;
  put(folder / "dune");
  std::filesystem::create_symlink("circle", folder / "circle");

  CHECK(io::presence_of((folder / "dune/dune.epub").string()).is == Is::gone);
  CHECK(io::presence_of((folder / "circle/x").string()).is == Is::unknown);
  CHECK(io::presence_of("dune.epub").is == Is::unknown);
  CHECK(io::presence_of("").is == Is::unknown);
}

// Files that are created without a name and get one when they are complete.

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>

#include "io/file/folder.h"
#include "support/io/temp_folder.h"
#include "support/run/skip.h"

namespace haul::testing {
namespace {

std::size_t count(const std::filesystem::path& path) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator{path},
                                                std::filesystem::directory_iterator{}));
}

std::span<const std::byte> bytes(std::string_view text) {
  return std::as_bytes(std::span{text.data(), text.size()});
}

}  // namespace

TEST_CASE("a file without a name is nowhere to be seen, and has one when it is given one") {
  const TempFolder temp;
  const io::Folder folder = io::Folder::open(temp.path(), io::Folder::Missing::fault).value();
  auto file = folder.create_unnamed();
  if (!file) return skip("this file system has no files without a name");
  REQUIRE(file->write_at(bytes("whole"), 0));
  CHECK(count(temp.path()) == 0);

  REQUIRE(folder.name(*file, "a.txt"));
  std::ifstream read{temp / "a.txt"};
  CHECK(std::string{std::istreambuf_iterator<char>{read}, {}} == "whole");
  CHECK(folder.find("a.txt") == file->mark());
}

TEST_CASE("a name that is taken stays with whom it was, and one outside is no name") {
  const TempFolder temp;
  const io::Folder folder = io::Folder::open(temp.path(), io::Folder::Missing::fault).value();
  std::ofstream{temp / "a.txt"} << "first";
  const auto file = folder.create_unnamed();
  if (!file) return skip("this file system has no files without a name");
  CHECK(folder.name(*file, "a.txt").error().code == "name_taken");
  CHECK(folder.name(*file, "../a.txt").error().code != "name_taken");
  CHECK_FALSE(folder.name(*file, "../b.txt"));
  CHECK(std::filesystem::file_size(temp / "a.txt") == 5);
}

TEST_CASE("a file that is never named leaves nothing") {
  const TempFolder temp;
  const io::Folder folder = io::Folder::open(temp.path(), io::Folder::Missing::fault).value();
  {
    const auto file = folder.create_unnamed();
  }
  CHECK(count(temp.path()) == 0);
}

}  // namespace haul::testing

// Folder::replace: the new file has the name at once, and only a plain file gives it up.

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "io/file/folder.h"
#include "support/io/temp_folder.h"

namespace haul::testing {
namespace {

namespace fs = std::filesystem;

struct Disk {
  TempFolder temp;
  io::Folder folder = io::Folder::open(temp.path(), io::Folder::Missing::fault).value();

  void write(const std::string& name, std::string_view text) const {
    std::ofstream{temp / name} << text;
  }
  std::string content(const std::string& name) const {
    std::ifstream file{temp / name};
    return {std::istreambuf_iterator<char>{file}, {}};
  }
  // The code of the fault, or "" for success.
  std::string replace(const std::string& name, const std::string& as) const {
    const auto done = folder.replace(folder, name, as);
    return done ? "" : done.error().code;
  }
};

}  // namespace

TEST_CASE("a replaced file is the new one, and a reader of the old one still has its bytes") {
  const Disk disk;
  disk.write("a", "old");
  disk.write("a.part", "new");
  const auto part = disk.folder.find("a.part");
  std::ifstream reader{disk.temp / "a"};

  CHECK(disk.replace("a.part", "a").empty());

  CHECK(disk.folder.find("a") == part);
  CHECK_FALSE(disk.folder.find("a.part"));
  CHECK(disk.content("a") == "new");
  CHECK(std::string{std::istreambuf_iterator<char>{reader}, {}} == "old");
}

TEST_CASE("a name that is free is taken, and a part may come from another folder") {
  const Disk disk;
  const io::Folder inner = disk.folder.open_inside("in", io::Folder::Missing::create).value();
  disk.write("a.part", "new");

  REQUIRE(inner.replace(disk.folder, "a.part", "a"));

  CHECK(disk.content("in/a") == "new");
  CHECK_FALSE(disk.folder.find("a.part"));
}

TEST_CASE("a link, a pipe and a folder are not replaced, and the part stays") {
  const Disk disk;
  disk.write("target", "mine");
  disk.write("a.part", "new");
  fs::create_symlink("target", disk.temp / "link");
  fs::create_symlink("nowhere", disk.temp / "broken");
  REQUIRE(::mkfifo((disk.temp / "pipe").c_str(), 0600) == 0);
  fs::create_directory(disk.temp / "folder");

  for (const char* name : {"link", "broken", "pipe", "folder"}) {
    CAPTURE(name);
    CHECK(disk.replace("a.part", name) == "not_a_file");
  }

  CHECK(disk.content("target") == "mine");
  CHECK(fs::is_symlink(disk.temp / "link"));
  CHECK(fs::is_symlink(disk.temp / "broken"));
  CHECK(fs::is_fifo(disk.temp / "pipe"));
  CHECK(disk.content("a.part") == "new");
}

TEST_CASE("a part that is gone, and a name outside the folder, replace nothing") {
  const Disk disk;
  disk.write("a", "old");
  disk.write("a.part", "new");

  CHECK_FALSE(disk.replace("gone.part", "a").empty());
  CHECK_FALSE(disk.replace("a.part", "../a").empty());
  CHECK_FALSE(disk.replace("../a.part", "a").empty());

  CHECK(disk.content("a") == "old");
  CHECK(disk.content("a.part") == "new");
}

}  // namespace haul::testing

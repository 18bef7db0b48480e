// Where jobs may write: beneath the root, through no link, and never among haul's own data.

#include "io/file/destination.h"

#include <doctest/doctest.h>
#include <sys/mount.h>

#include <filesystem>
#include <fstream>

#include "engine/get_request.h"
#include "support/io/temp_folder.h"
#include "support/run/skip.h"

namespace haul::testing {
namespace {

namespace fs = std::filesystem;
using enum io::Folder::Missing;

struct Disk {
  TempFolder temp;
  fs::path data = temp / "data";
  fs::path root = temp / "data/downloads";  // Inside the data folder, as by default.
  fs::path outside = temp / "outside";
  io::Destinations rules{.root = root, .barred = {data}};

  Disk() {
    fs::create_directories(root);
    fs::create_directories(outside);
  }
  // "opened", or the fault's code.
  std::string open(const fs::path& folder, io::Folder::Missing missing = create) const {
    const auto opened = io::open_destination(rules, folder, missing);
    return opened ? "opened" : opened.error().code;
  }
};

}  // namespace

TEST_CASE("a folder beneath the root is made, also with a slash at its end") {
  const Disk disk;

  CHECK(disk.open(disk.root) == "opened");
  CHECK(disk.open(disk.root / "a/b/c") == "opened");
  CHECK(disk.open(disk.root / "a/b/c/", fault) == "opened");
  CHECK(disk.open(disk.root / "./a//b", fault) == "opened");
  CHECK(fs::is_directory(disk.root / "a/b/c"));
  CHECK(disk.open(disk.root / "none", fault) == "folder_gone");
}

TEST_CASE("a file is no folder, and what lies below it neither; a folder beside it is") {
  const Disk disk;
  fs::create_directories(disk.root);
  std::ofstream{disk.root / "file"} << "x";

  CHECK(disk.open(disk.root / "file") == "bad_folder");
  CHECK(disk.open(disk.root / "file/below") == "bad_folder");
  CHECK(disk.open(disk.root / "file2") == "opened");
}

TEST_CASE("J19: a folder outside of the root is refused") {
  const Disk disk;

  CHECK(disk.open(disk.outside) == "bad_folder");
  CHECK(disk.open(disk.root / "../x") == "bad_folder");
  CHECK(disk.open(disk.root.string() + "-not") == "bad_folder");
  CHECK(disk.open("/") == "bad_folder");
  CHECK_FALSE(fs::exists(disk.data / "x"));
}

TEST_CASE("a further root takes folders that haul chooses, and is never created") {
  Disk disk;
  const fs::path films = disk.temp / "films";
  disk.rules.also = {films};

  CHECK(disk.open(films / "a") == "folder_gone");  // Its disk is not mounted.
  CHECK_FALSE(fs::exists(films));
  fs::create_directory(films);
  CHECK(disk.open(films / "a") == "opened");
  CHECK(fs::is_directory(films / "a"));
  fs::create_directory_symlink(disk.outside, films / "link");
  CHECK(disk.open(films / "link/x") == "bad_folder");
  CHECK(disk.open(films / "../outside") == "bad_folder");
  CHECK(disk.open(disk.outside) == "bad_folder");
  CHECK(disk.open(disk.root / "b") == "opened");
  CHECK(fs::is_empty(disk.outside));
}

TEST_CASE("J19: a link below the root leads nowhere, at the end of the path or on the way") {
  const Disk disk;
  fs::create_directory_symlink(disk.outside, disk.root / "link");
  fs::create_directory(disk.root / "inner");
  fs::create_directory_symlink("inner", disk.root / "near");

  CHECK(disk.open(disk.root / "link") == "bad_folder");
  CHECK(disk.open(disk.root / "link/x") == "bad_folder");
  CHECK(disk.open(disk.root / "near") == "bad_folder");
  CHECK(fs::is_empty(disk.outside));
  CHECK(fs::is_empty(disk.root / "inner"));
}

TEST_CASE("a link on the way to the root is the choice of the person who configured it") {
  Disk disk;
  fs::create_directory_symlink(disk.outside, disk.temp / "chosen");
  disk.rules.root = disk.temp / "chosen";

  CHECK(disk.open(disk.temp / "chosen/x") == "opened");
  CHECK(fs::is_directory(disk.outside / "x"));
}

TEST_CASE("the data folder is never a destination: by its path, as the root, or inside the root") {
  Disk disk;

  disk.rules.root = disk.data;
  CHECK(disk.open(disk.data) == "bad_folder");

  disk.rules.root = disk.temp.path();
  CHECK(disk.open(disk.data) == "bad_folder");
  CHECK(disk.open(disk.data / "x") == "bad_folder");
  CHECK(disk.open(disk.temp / "outside/../data/.") == "bad_folder");

  disk.rules.root = disk.temp / "again";  // A root that is a link to the data folder.
  fs::create_directory_symlink(disk.data, disk.rules.root);
  CHECK(disk.open(disk.rules.root) == "bad_folder");

  disk.rules.root.clear();  // As in `haul get`: a job may name any folder.
  CHECK(disk.open(disk.data) == "bad_folder");
  CHECK(disk.open(disk.temp / "again") == "bad_folder");
  CHECK(disk.open(disk.outside) == "opened");
  CHECK_FALSE(fs::exists(disk.data / "x"));
}

TEST_CASE("the data folder is not opened as a folder inside a destination, either") {
  Disk disk;
  disk.rules.root = disk.temp.path();
  const auto folder = io::open_destination(disk.rules, disk.temp.path(), fault);
  REQUIRE(folder);

  CHECK(folder->open_inside("data", create).error().code == "bad_folder");
  CHECK(folder->open_inside("outside", create));
}

TEST_CASE("the data folder is known again where it is bind-mounted below the root") {
  Disk disk;
  const fs::path bound = disk.root / "bound";
  fs::create_directory(bound);
  if (::mount(disk.data.c_str(), bound.c_str(), nullptr, MS_BIND, nullptr) != 0)
    return skip("only root can bind-mount a folder");
  const std::string at_it = disk.open(bound);
  const std::string in_it = disk.open(bound / "x");
  ::umount2(bound.c_str(), MNT_DETACH);

  CHECK(at_it == "bad_folder");
  CHECK(in_it == "bad_folder");
  CHECK_FALSE(fs::exists(disk.data / "x"));
}

TEST_CASE("a NUL in a path is refused, not taken for its end") {
  Disk disk;
  const std::string dots = std::string{".."} + '\0' + "x";
  const fs::path cut{disk.outside.string() + '\0' + "x"};

  CHECK(disk.open(disk.root / dots) == "bad_folder");
  CHECK(io::Folder::open(cut, create).error().code == "bad_folder");
  const io::Folder folder = *io::Folder::open(disk.outside, fault);
  CHECK(folder.open_inside(dots, create).error().code == "bad_folder");
  CHECK_FALSE(folder.create(std::string{"a"} + '\0' + "b"));
  CHECK(fs::is_empty(disk.outside));
  CHECK_FALSE(engine::read_get_request(R"({"url":"http://h/a","folder":"/in/..\u0000x"})"));
  CHECK_FALSE(engine::read_get_request(R"({"url":"http://h/a","folder":"/in/a\nb"})"));
  CHECK(engine::read_get_request(R"({"url":"http://h/a","folder":"/in/a b"})"));
}

TEST_CASE("a folder that is held open is reached whatever its name leads to meanwhile") {
  Disk disk;
  const auto folder = io::open_destination(disk.rules, disk.root / "a", create);
  REQUIRE(folder);
  fs::rename(disk.root / "a", disk.root / "b");
  fs::create_directory_symlink(disk.outside, disk.root / "a");

  std::ofstream{folder->held_path() / "file"} << "x";
  REQUIRE(folder->make_private("inner"));

  CHECK(fs::exists(disk.root / "b/file"));
  CHECK(fs::exists(disk.root / "b/inner"));
  CHECK(fs::is_empty(disk.outside));
}

}  // namespace haul::testing

// S1-11, F28: what lies below a root is reached through no link and, if wanted, over no mount.

#include "io/file/beneath.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <fstream>

#include "support/io/small_disk.h"
#include "support/io/temp_folder.h"

namespace haul::testing {
namespace {

namespace fs = std::filesystem;
using io::Mounts;
using io::WalkBy;

// A root with a file in two folders.
struct Tree {
  Tree() {
    fs::create_directories(temp / "root/a/b");
    std::ofstream{temp / "root/a/b/film"} << "bytes";
    fs::create_directories(temp / "outside/b");
    std::ofstream{temp / "outside/b/film"} << "other";
  }
  io::Descriptor open() const { return io::open_root(temp / "root").value(); }

  TempFolder temp;
};

// The code of the fault. Empty if the file was opened.
std::string file_code(const io::Descriptor& root, std::string_view path, WalkBy walk,
                      Mounts mounts = Mounts::stay) {
  const auto file = io::open_file_beneath(root, path, mounts, walk);
  return file ? "" : file.error().code;
}
std::string folder_code(const io::Descriptor& root, std::string_view path, WalkBy walk,
                        Mounts mounts = Mounts::stay) {
  const auto folder = io::open_folder_beneath(root, path, mounts, walk);
  return folder ? "" : folder.error().code;
}

}  // namespace

TEST_CASE("a path below a root has plain components only") {
  using Names = std::vector<std::string>;
  CHECK(io::components_of("a") == Names{"a"});
  CHECK(io::components_of("a/b c/...") == Names{"a", "b c", "..."});
  for (const std::string_view bad :
       {"", "/", "/a", "a/", "a//b", ".", "..", "a/.", "a/../b", "./a"})
    CHECK_MESSAGE(!io::components_of(bad), bad);
  CHECK_FALSE(io::components_of(std::string_view{"a\0b", 3}));
}

TEST_CASE("a path is split before its last component") {
  CHECK(io::split_path("a/b/c").folder == "a/b");
  CHECK(io::split_path("a/b/c").name == "c");
  CHECK(io::split_path("c").folder.empty());
  CHECK(io::split_path("c").name == "c");
}

TEST_CASE("S1-11, F28: a file below the root opens, and the root itself is no file") {
  for (const WalkBy walk : {WalkBy::kernel, WalkBy::steps}) {
    const Tree tree;
    const io::Descriptor root = tree.open();

    const auto file = io::open_file_beneath(root, "a/b/film", Mounts::stay, walk);

    REQUIRE(file);
    CHECK(io::seen_of(*file).size == 5);
    CHECK(folder_code(root, "a/b", walk).empty());
    CHECK(folder_code(root, "", walk).empty());
    for (const std::string_view bad : {"", ".", "..", "../outside/b/film", "/etc/passwd", "a//b"})
      CHECK_MESSAGE(file_code(root, bad, walk) == "bad_path", bad);
  }
}

TEST_CASE("S1-11, F28: a link on the way or at the end is refused, in the root or out of it") {
  for (const WalkBy walk : {WalkBy::kernel, WalkBy::steps})
    for (const char* target : {"../outside", "a"}) {
      CAPTURE(target);
      const Tree tree;
      fs::create_symlink(target, tree.temp / "root/link");
      fs::create_symlink("film", tree.temp / "root/a/b/alias");
      const io::Descriptor root = tree.open();

      CHECK(file_code(root, "link/b/film", walk) == "link_on_the_way");
      CHECK(file_code(root, "a/b/alias", walk) == "link_on_the_way");
      CHECK(folder_code(root, "link", walk) == "link_on_the_way");
      CHECK(folder_code(root, "link/b", walk) == "link_on_the_way");
    }
}

TEST_CASE("F28: what is no file, or not there, has its own fault, and no open waits") {
  for (const WalkBy walk : {WalkBy::kernel, WalkBy::steps}) {
    const Tree tree;
    REQUIRE(::mkfifo((tree.temp / "root/pipe").c_str(), 0600) == 0);
    const io::Descriptor root = tree.open();

    CHECK(file_code(root, "pipe", walk) == "not_a_file");
    CHECK(file_code(root, "a", walk) == "not_a_file");
    CHECK(file_code(root, "a/b/film/x", walk) == "not_a_folder");
    CHECK(folder_code(root, "a/b/film", walk) == "not_a_folder");
    CHECK(file_code(root, "a/none", walk) == "not_found");
    CHECK(folder_code(root, "none/b", walk) == "not_found");
  }
}

TEST_CASE("F28: a file system that is mounted below the root is not entered, unless it may be") {
  const Tree tree;
  const SmallDisk disk{tree.temp / "root/disk"};
  if (!disk.is_there()) return;
  std::ofstream{tree.temp / "root/disk/film"} << "bytes";
  const io::Descriptor root = tree.open();

  for (const WalkBy walk : {WalkBy::kernel, WalkBy::steps}) {
    CHECK(file_code(root, "disk/film", walk) == "other_file_system");
    CHECK(folder_code(root, "disk", walk) == "other_file_system");
    CHECK(file_code(root, "disk/film", walk, Mounts::cross).empty());
  }
}

TEST_CASE("F28: a bind mount of the root's own file system counts as another one") {
  const Tree tree;
  fs::create_directory(tree.temp / "root/bound");
  const bool is_mounted =
      ::mount((tree.temp / "outside").c_str(), (tree.temp / "root/bound").c_str(), nullptr, MS_BIND,
              nullptr) == 0;
  if (!is_mounted) return skip("only root can mount a folder");
  {
    const io::Descriptor root = tree.open();
    for (const WalkBy walk : {WalkBy::kernel, WalkBy::steps})
      CHECK(file_code(root, "bound/b/film", walk) == "other_file_system");
  }
  ::umount2((tree.temp / "root/bound").c_str(), MNT_DETACH);
}

TEST_CASE("F28: an open folder stays the same when its path leads elsewhere") {
  const Tree tree;
  const io::Descriptor root = tree.open();
  const io::Descriptor folder = io::open_folder_beneath(root, "a/b", Mounts::stay).value();

  fs::rename(tree.temp / "root/a", tree.temp / "moved");
  fs::create_symlink("../outside", tree.temp / "root/a");

  CHECK(io::seen_in(folder, "film")->size == 5);
  const auto file = io::open_file_beneath(folder, "film", Mounts::stay);
  REQUIRE(file);
  CHECK(io::is_same_file(io::seen_of(*file), *io::seen_in(folder, "film")));
}

TEST_CASE("an entry is seen as what it is, and a link as itself") {
  const Tree tree;
  fs::create_symlink("film", tree.temp / "root/a/b/alias");
  fs::create_hard_link(tree.temp / "root/a/b/film", tree.temp / "root/same");
  const io::Descriptor root = tree.open();
  const io::Descriptor folder = io::open_folder_beneath(root, "a/b", Mounts::stay).value();

  const auto film = io::seen_in(folder, "film");
  REQUIRE(film);
  CHECK((film->is == io::EntrySeen::Is::file));
  CHECK((io::seen_in(folder, "alias")->is == io::EntrySeen::Is::other));
  CHECK((io::seen_in(root, "a")->is == io::EntrySeen::Is::folder));
  CHECK(io::is_same_file(*film, *io::seen_in(root, "same")));
  CHECK_FALSE(io::is_same_file(*film, *io::seen_in(folder, "alias")));
  CHECK_FALSE(io::seen_in(folder, "none"));
  CHECK(io::look_in(folder, "none").error().code == "not_found");
  CHECK_FALSE(io::seen_in(folder, std::string(300, 'x')));
  CHECK(io::look_in(folder, std::string(300, 'x')).error().code == "file_error");
}

TEST_CASE("missing folders are made below the root, and none through a link") {
  const Tree tree;
  const io::Descriptor root = tree.open();

  CHECK(io::make_folder_beneath(root, "x/y/z", Mounts::stay));
  CHECK(io::make_folder_beneath(root, "x/y/z", Mounts::stay));
  CHECK(fs::is_directory(tree.temp / "root/x/y/z"));

  fs::create_symlink("../outside", tree.temp / "root/link");
  CHECK(io::make_folder_beneath(root, "link/new", Mounts::stay).error().code == "link_on_the_way");
  CHECK(io::make_folder_beneath(root, "../new", Mounts::stay).error().code == "bad_path");
  CHECK_FALSE(fs::exists(tree.temp / "outside/new"));
}

TEST_CASE("a root that is gone or a file is a fault of the disk") {
  const Tree tree;
  CHECK(io::open_root(tree.temp / "none").error().code == "folder_gone");
  CHECK(io::open_root(tree.temp / "root/a/b/film").error().code == "folder_gone");
}

}  // namespace haul::testing

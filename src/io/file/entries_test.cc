// The names in an open folder: moved without replacing, and removed one at a time.

#include "io/file/entries.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "io/file/beneath.h"
#include "support/io/small_disk.h"
#include "support/io/temp_folder.h"

namespace haul::testing {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, const std::string& text) { std::ofstream{path} << text; }

std::string text_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream{path}.rdbuf();
  return text.str();
}

struct Two {
  Two() {
    fs::create_directory(temp / "from");
    fs::create_directory(temp / "to");
    write(temp / "from/film", "bytes");
    from = io::open_root(temp / "from").value();
    to = io::open_root(temp / "to").value();
  }

  TempFolder temp;
  io::Descriptor from;
  io::Descriptor to;
  const std::string film = "film";
  const std::string other = "other";
};

}  // namespace

TEST_CASE("an entry is moved to a free name and never replaces another") {
  const Two t;
  write(t.temp / "to/other", "of a user");

  const auto taken = io::move_entry({t.from, t.film}, {t.to, t.other});
  CHECK(taken.error().code == "name_taken");
  CHECK(text_of(t.temp / "to/other") == "of a user");
  CHECK(text_of(t.temp / "from/film") == "bytes");

  CHECK(io::take_entry({t.from, t.film}, {t.to, t.other}).error().code == "name_taken");
  CHECK(io::move_entry({t.from, t.film}, {t.to, t.film}));
  CHECK(text_of(t.temp / "to/film") == "bytes");
  CHECK_FALSE(fs::exists(t.temp / "from/film"));
  CHECK(io::move_entry({t.from, t.film}, {t.to, t.film}).error().code == "not_found");
}

TEST_CASE("F28: a move replaces nothing where the file system lacks it, or has no links") {
  for (const io::MoveBy by : {io::MoveBy::link, io::MoveBy::rename}) {
    const Two t;
    write(t.temp / "to/other", "of a user");

    CHECK(io::move_entry({t.from, t.film}, {t.to, t.other}, by).error().code == "name_taken");
    CHECK(text_of(t.temp / "to/other") == "of a user");
    CHECK(io::move_entry({t.from, t.film}, {t.to, t.film}, by));
    CHECK(text_of(t.temp / "to/film") == "bytes");
    CHECK_FALSE(fs::exists(t.temp / "from/film"));
    CHECK(io::move_entry({t.from, t.film}, {t.from, t.other}, by).error().code == "not_found");
  }
  // A folder has no second name.
  const Two t;
  fs::create_directory(t.temp / "from/folder");
  const std::string folder = "folder";
  CHECK(io::move_entry({t.from, folder}, {t.to, folder}, io::MoveBy::link));
  CHECK(fs::is_directory(t.temp / "to/folder"));
}

TEST_CASE("a file system without a flush of folders needs none, and another fault is told") {
  CHECK(io::flush_names(io::open_root("/proc").value()));
  CHECK(io::Folder::open("/proc", io::Folder::Missing::fault).value().flush());
  CHECK_FALSE(io::flush_names(io::Descriptor{}));
}

TEST_CASE("F28: of two names of one file a move leaves the new one, and one name is never lost") {
  const Two t;
  fs::create_hard_link(t.temp / "from/film", t.temp / "to/other");

  CHECK(io::move_entry({t.from, t.film}, {t.to, t.other}));
  CHECK_FALSE(fs::exists(t.temp / "from/film"));
  CHECK(text_of(t.temp / "to/other") == "bytes");

  const io::Descriptor again = io::open_root(t.temp / "to").value();
  CHECK(io::move_entry({t.to, t.other}, {again, t.other}).error().code == "name_taken");
  CHECK(text_of(t.temp / "to/other") == "bytes");
}

TEST_CASE("F28: an entry does not go to another file system") {
  const Two t;
  const SmallDisk disk{t.temp / "disk"};
  if (!disk.is_there()) return;
  const io::Descriptor there = io::open_root(t.temp / "disk").value();

  const auto moved = io::move_entry({t.from, t.film}, {there, t.film});

  REQUIRE_FALSE(moved);
  CHECK(moved.error().code == "other_file_system");
  CHECK((moved.error().kind == FaultKind::rejected));
  CHECK(text_of(t.temp / "from/film") == "bytes");
}

TEST_CASE("S1-11: a folder is never removed as a file, and only an empty one as a folder") {
  const Two t;
  fs::create_directories(t.temp / "from/folder");
  const std::string folder = "folder";

  CHECK_FALSE(io::remove_file({t.from, folder}));
  CHECK(fs::exists(t.temp / "from/folder"));
  write(t.temp / "from/folder/x", "x");
  CHECK_FALSE(io::remove_empty_folder({t.from, folder}));
  CHECK_FALSE(io::remove_empty_folder({t.from, t.film}));
  CHECK(fs::exists(t.temp / "from/folder/x"));

  fs::remove(t.temp / "from/folder/x");
  CHECK(io::remove_empty_folder({t.from, folder}));
  CHECK(io::remove_file({t.from, t.film}));
  CHECK(io::remove_file({t.from, t.film}).error().code == "not_found");
}

TEST_CASE("S1-11: a link is removed, and not what it leads to") {
  const Two t;
  fs::create_symlink("../from/film", t.temp / "to/film");
  CHECK(io::remove_file({t.to, t.film}));
  CHECK(text_of(t.temp / "from/film") == "bytes");

  fs::create_directory_symlink("../from", t.temp / "to/other");
  CHECK_FALSE(io::remove_empty_folder({t.to, t.other}));
  CHECK(fs::is_symlink(t.temp / "to/other"));
}

TEST_CASE("names are listed up to a limit, and twice the same") {
  const Two t;
  write(t.temp / "from/a", "");
  write(t.temp / "from/b", "");
  for (int i = 0; i < 2; ++i) {
    std::vector<std::string> names = io::names_in(t.from, 10);
    std::ranges::sort(names);
    CHECK(names == std::vector<std::string>{"a", "b", "film"});
  }
  CHECK(io::names_in(t.from, 2).size() == 2);
  CHECK(io::names_in(t.to, 2).empty());
}

TEST_CASE("a file of haul's own is replaced whole, and read up to a limit") {
  const Two t;
  REQUIRE(io::write_own_file({t.to, t.other}, "first, and longer"));
  REQUIRE(io::write_own_file({t.to, t.other}, "second"));
  CHECK(io::read_own_file({t.to, t.other}, 6).value() == "second");
  CHECK(io::read_own_file({t.to, t.other}, 5).error().code == "file_too_large");
  CHECK(io::read_own_file({t.to, t.film}, 5).error().code == "not_found");
  CHECK(io::names_in(t.to, 10).size() == 1);
  CHECK(io::flush_names(t.to));

  write(t.temp / "to/other.part", "half");  // Of a crash.
  CHECK(io::remove_own_file({t.to, t.other}));
  CHECK(io::names_in(t.to, 10).empty());
  CHECK(io::remove_own_file({t.to, t.other}));
}

TEST_CASE("a folder has one lock at a time, which ends with its owner") {
  const Two t;
  auto first = io::NamesLock::try_take(t.from);
  REQUIRE(first);
  CHECK_FALSE(io::NamesLock::try_take(t.from));
  CHECK(io::NamesLock::try_take(t.to));

  first.reset();
  CHECK(io::NamesLock::try_take(t.from));
}

TEST_CASE("a file of haul's own is never written through a link") {
  const Two t;
  fs::create_symlink("../from/film", t.temp / "to/other.part");
  CHECK_FALSE(io::write_own_file({t.to, t.other}, "text"));
  CHECK(text_of(t.temp / "from/film") == "bytes");
}

}  // namespace haul::testing

// A file that is put into a folder through a part: whole under its name, or not there.

#include "io/file/filled_part.h"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <map>
#include <span>

#include "support/io/temp_folder.h"

namespace haul::testing {
namespace {

namespace fs = std::filesystem;
using IfTaken = io::PartPlace::IfTaken;
using Files = std::map<std::string, std::string>;  // Their text, by name.

const io::PartOwner kOwner{"a1b2c3d4e5f6", JobId{3}, 1, 2};

struct Disk {
  Result<void> place(const std::string& text, IfTaken if_taken = IfTaken::fault) const {
    return io::place_filled_part(
        {.folder = folder, .name = "a.bin", .owner = kOwner, .if_taken = if_taken},
        [&](io::File& part) {
          seen_while_filling = files();
          return part.write_at(std::as_bytes(std::span{text}), 0);
        });
  }
  void put(const std::string& name, const std::string& text) const {
    std::ofstream{temp / name} << text;
  }
  Files files() const {
    Files all;
    for (const auto& entry : fs::directory_iterator{temp.path()}) {
      std::ifstream file{entry.path()};
      all[entry.path().filename().string()] = {std::istreambuf_iterator<char>{file}, {}};
    }
    return all;
  }

  TempFolder temp;
  io::Folder folder = io::Folder::open(temp.path(), io::Folder::Missing::fault).value();
  mutable Files seen_while_filling;
};

}  // namespace

TEST_CASE("a part has its owner's name while it is filled, and the final name once it is whole") {
  const Disk disk;

  REQUIRE(disk.place("new"));

  CHECK(disk.seen_while_filling == Files{{io::part_name("a.bin", kOwner), ""}});
  CHECK(disk.files() == Files{{"a.bin", "new"}});
}

TEST_CASE("a filled part replaces the file that has its name only if it is told to") {
  const Disk disk;
  disk.put("a.bin", "old");

  const auto refused = disk.place("new");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == "name_taken");
  CHECK(disk.files() == Files{{"a.bin", "old"}});

  REQUIRE(disk.place("new", IfTaken::replace));
  CHECK(disk.files() == Files{{"a.bin", "new"}});
}

TEST_CASE("a part that cannot be filled is removed, and its fault is told") {
  const Disk disk;

  const auto placed = io::place_filled_part(
      {.folder = disk.folder, .name = "a.bin", .owner = kOwner}, [](io::File&) -> Result<void> {
        return std::unexpected{Fault{FaultKind::cancelled, "stopped", ""}};
      });

  REQUIRE_FALSE(placed);
  CHECK(placed.error().code == "stopped");
  CHECK(disk.files().empty());
}

TEST_CASE("a part of the same owner is filled anew, and those of others stay") {
  const Disk disk;
  io::PartOwner other = kOwner;
  other.store = "ffffffffffff";
  disk.put(io::part_name("a.bin", kOwner), "half of");
  disk.put(io::part_name("a.bin", other), "theirs");

  REQUIRE(disk.place("new"));

  CHECK(disk.files() == Files{{"a.bin", "new"}, {io::part_name("a.bin", other), "theirs"}});
}

}  // namespace haul::testing

// Parts that earlier work left: found by their names, or by a checkpoint.

#include "io/file/left_parts.h"

#include <doctest/doctest.h>

#include <fstream>

#include "support/io/temp_folder.h"

namespace haul::testing {
namespace {

struct Disk {
  TempFolder temp;
  io::Folder folder = io::Folder::open(temp.path(), io::Folder::Missing::fault).value();

  std::string put(const io::PartOwner& owner) const {
    std::string name = io::part_name("a.bin", owner);
    std::ofstream{temp / name} << "x";
    return name;
  }
};

}  // namespace

TEST_CASE("S2-27: parts are found by their owner, sorted by item") {
  const Disk disk;
  const std::string first = disk.put({"a1b2c3d4e5f6", JobId{3}, 1, 1});
  const std::string second = disk.put({"a1b2c3d4e5f6", JobId{3}, 2, 1});
  disk.put({"a1b2c3d4e5f6", JobId{4}, 1, 1});
  std::ofstream{disk.temp / "a.part"} << "x";

  const io::LeftParts found =
      io::find_parts(disk.folder, [](const io::PartOwner& owner) { return owner.job == JobId{3}; });

  CHECK((found == io::LeftParts{{1, {first}}, {2, {second}}}));
}

TEST_CASE("parts of the job's leases up to this one are removed, and those of others stay") {
  const Disk disk;
  const io::PartOwner holder{"a1b2c3d4e5f6", JobId{3}, 0, 2};
  const std::string earlier = disk.put({"a1b2c3d4e5f6", JobId{3}, 1, 1});
  const std::string own = disk.put({"a1b2c3d4e5f6", JobId{3}, 2, 2});
  const std::string others[] = {disk.put({"a1b2c3d4e5f6", JobId{3}, 1, 3}),
                                disk.put({"a1b2c3d4e5f6", JobId{4}, 1, 1}),
                                disk.put({"ffffffffffff", JobId{3}, 1, 1})};

  io::remove_left_parts(disk.folder, holder);

  CHECK_FALSE(disk.folder.find(earlier));
  CHECK_FALSE(disk.folder.find(own));
  for (const std::string& other : others) CHECK_MESSAGE(disk.folder.find(other), other);
}

TEST_CASE("the part of a checkpoint is removed, and no other file that has its name") {
  const Disk disk;
  const std::string name = disk.put({"a1b2c3d4e5f6", JobId{3}, 1, 1});
  const std::uint64_t inode = disk.folder.find(name)->inode;

  io::remove_kept_part(disk.folder, {.part = name, .inode = inode + 1});
  io::remove_kept_part(disk.folder, {.inode = inode});
  CHECK(disk.folder.find(name));

  io::remove_kept_part(disk.folder, {.part = name, .inode = inode});
  CHECK_FALSE(disk.folder.find(name));
}

}  // namespace haul::testing

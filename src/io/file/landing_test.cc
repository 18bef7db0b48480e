// One file on its way to its place, on a real folder: its part, its name, and how a later start
// knows it again. landing_stop_test.cc has stops and failures.

#include "io/file/landing.h"

#include <doctest/doctest.h>

#include "support/io/landing_bench.h"
#include "support/run/skip.h"

namespace haul::testing {

TEST_CASE("a file is a part until it is whole, and then it has its final name") {
  LandingDisk disk;
  io::LandingFile file{disk.shared, disk.owner(), kBoot};
  make_part(file, "a.bin", "whole");
  CHECK((disk.names() == Names{kPart}));

  const io::Checkpoint kept = file.choose_place(5).value();
  CHECK(file.state() == io::LandingState::whole);
  CHECK((kept == io::Checkpoint{.name = "a.bin",
                                .part = kPart,
                                .inode = file.file()->mark().inode,
                                .size = 5,
                                .boot = kBoot,
                                .target = "a.bin"}));
  CHECK(disk.put(file) == io::PlaceEnd::done);
  file.end();

  CHECK((disk.names() == Names{"a.bin"}));
  CHECK(disk.content("a.bin") == "whole");
  CHECK(file.path() == (disk.temp / "a.bin").string());
}

TEST_CASE("64 KiB of known size get no part's name, one byte more or an unknown size do") {
  LandingDisk disk;
  io::LandingFile small{disk.shared, disk.owner(1), kBoot};
  small.set_name("small");
  REQUIRE(small.create(kSmall));
  io::LandingFile large{disk.shared, disk.owner(2), kBoot};
  large.set_name("large");
  REQUIRE(large.create(kSmall + 1));
  io::LandingFile unknown{disk.shared, disk.owner(3), kBoot};
  unknown.set_name("unknown");
  REQUIRE(unknown.create(std::nullopt));

  CHECK(large.has_part());
  CHECK(unknown.has_part());
  if (small.has_part()) return skip("this file system has no files without a name");
  const io::Checkpoint kept = small.choose_place(0).value();
  CHECK(kept.boot.empty());
  CHECK(disk.put(small) == io::PlaceEnd::done);
  CHECK(disk.names().contains("small"));
}

TEST_CASE("S2-24: a name that is taken on the way is chosen anew, and the folder is asked then") {
  LandingDisk disk;
  io::LandingFile file{disk.shared, disk.owner(), kBoot};
  make_part(file, "a.bin", "second");
  REQUIRE(file.choose_place(6));
  disk.write("a.bin", "first");
  disk.write("a (2).bin", "another");

  CHECK(disk.put(file) == io::PlaceEnd::taken);
  CHECK(file.choose_place(6)->target == "a (3).bin");
  CHECK(disk.put(file) == io::PlaceEnd::done);

  CHECK(disk.content("a.bin") == "first");
  CHECK(disk.content("a (3).bin") == "second");
}

TEST_CASE("S2-24: two files of a job never have the same final name, and an end gives it back") {
  LandingDisk disk;
  {
    io::LandingFile first{disk.shared, disk.owner(1), kBoot};
    make_part(first, "a.bin", "x");
    CHECK(first.choose_place(1)->target == "a.bin");
    io::LandingFile second{disk.shared, disk.owner(2), kBoot};
    make_part(second, "a.bin", "x");
    CHECK(second.choose_place(1)->target == "a (2).bin");
    io::LandingFile third{disk.shared, disk.owner(3), kBoot};
    make_part(third, "b.bin", "x");
    CHECK(third.choose_place(1)->target == "b.bin");
  }

  io::LandingFile fourth{disk.shared, disk.owner(4), kBoot};
  make_part(fourth, "b.bin", "x");
  CHECK(fourth.choose_place(1)->target == "b.bin");
}

TEST_CASE("a path from outside leads below the job's folder, where its part stays") {
  LandingDisk disk;
  disk.write("given.mp4", "film");
  io::LandingFile file{disk.shared, disk.owner(), kBoot};
  REQUIRE(file.set_path("../Some one/film.mp4"));
  REQUIRE(
      file.take(*disk.shared.folder, "given.mp4",
                std::make_shared<io::File>(disk.shared.folder->open_file("given.mp4").value())));
  CHECK((disk.names() == Names{"film.mp4.haul-a1b2c3d4e5f6-3-1-1.part"}));

  const io::Checkpoint kept = file.choose_place(4).value();
  CHECK(kept.target == "_/Some one/film.mp4");
  CHECK(disk.put(file) == io::PlaceEnd::done);

  CHECK((disk.names() == Names{"_/Some one/film.mp4"}));
}

TEST_CASE("files that land in one folder below share it, so that the lander flushes it once") {
  LandingDisk disk;
  io::LandingFile first{disk.shared, disk.owner(1), kBoot};
  make_inside(first, "in/deep/a.bin");
  io::LandingFile second{disk.shared, disk.owner(2), kBoot};
  make_inside(second, "in/deep/b.bin");
  io::LandingFile other{disk.shared, disk.owner(3), kBoot};
  make_inside(other, "in/c.bin");

  CHECK(disk.put(first) == io::PlaceEnd::done);
  CHECK(disk.put(second) == io::PlaceEnd::done);
  CHECK(disk.put(other) == io::PlaceEnd::done);

  const std::vector<io::LandTask>& tasks = disk.lander.tasks;
  CHECK((tasks.at(0).folder == tasks.at(1).folder));
  CHECK((tasks.at(0).folder != tasks.at(2).folder));
  CHECK((disk.names() == Names{"in/deep/a.bin", "in/deep/b.bin", "in/c.bin"}));
}

TEST_CASE(
    "a folder below that is gone fails the file that lands in it, and the next makes it anew") {
  LandingDisk disk;
  io::LandingFile first{disk.shared, disk.owner(1), kBoot};
  make_inside(first, "in/deep/a.bin");
  std::filesystem::remove_all(disk.temp / "in");
  CHECK(disk.put(first) == io::PlaceEnd::failed);

  io::LandingFile next{disk.shared, disk.owner(2), kBoot};
  make_inside(next, "in/deep/b.bin");

  CHECK(disk.put(next) == io::PlaceEnd::done);
  CHECK(disk.names().contains("in/deep/b.bin"));
}

TEST_CASE("recognising a file that is nowhere makes no folder, and a whole part gets its folder") {
  LandingDisk disk;
  io::Checkpoint kept;
  {
    io::LandingFile file{disk.shared, disk.owner(), kBoot};
    kept = make_inside(file, "in/a.bin");
  }
  std::filesystem::remove(disk.temp / "in");

  io::Checkpoint lost = kept;
  ++lost.inode;
  io::LandingFile nowhere{disk.shared, disk.owner(1, 2), kBoot};
  CHECK(nowhere.recognise(lost) == io::FoundAs::nothing);
  CHECK_FALSE(std::filesystem::exists(disk.temp / "in"));

  io::LandingFile again{disk.shared, disk.owner(1, 2), kBoot};
  CHECK(again.recognise(kept) == io::FoundAs::part);
  CHECK(again.choose_place(1)->target == "in/a.bin");
  CHECK(disk.put(again) == io::PlaceEnd::done);
  CHECK((disk.names() == Names{"in/a.bin"}));
}

TEST_CASE("parts of one owner are told apart by a number") {
  LandingDisk disk;
  disk.write(kPart, "another");
  io::LandingFile file{disk.shared, disk.owner(), kBoot};
  make_part(file, "a.bin", "x");
  CHECK(file.checkpoint().part == "a.bin.haul-a1b2c3d4e5f6-3-1-1-2.part");
  CHECK(disk.content(kPart) == "another");
}

TEST_CASE("Z-8: a file that lies in its place unflushed is known again and flushed, not renamed") {
  LandingDisk disk;
  io::Checkpoint kept;
  {
    io::LandingFile file{disk.shared, disk.owner(), kBoot};
    make_part(file, "a.bin", "whole");
    kept = file.choose_place(5).value();
    disk.lander.fails = FakeLander::Fails::after;
    CHECK(disk.put(file) == io::PlaceEnd::unflushed);
  }
  CHECK((disk.names() == Names{"a.bin"}));

  disk.lander.fails = FakeLander::Fails::never;
  const std::string later_boot = "later boot";
  io::LandingFile again{disk.shared, disk.owner(1, 2), later_boot};
  CHECK(again.recognise(kept) == io::FoundAs::in_place);
  io::LandingFile other{disk.shared, disk.owner(2, 2), later_boot};
  make_part(other, "a.bin", "x");
  CHECK(other.choose_place(1)->target == "a (2).bin");
  CHECK(disk.put(again) == io::PlaceEnd::done);

  CHECK(disk.lander.tasks.back().named == io::NamedAs::in_place);
  CHECK(again.path() == (disk.temp / "a.bin").string());
  CHECK(disk.content("a.bin") == "whole");
}

TEST_CASE("S2-31: a whole part is known again within its boot only") {
  LandingDisk disk;
  io::Checkpoint kept;
  {
    io::LandingFile file{disk.shared, disk.owner(), kBoot};
    make_part(file, "a.bin", "whole");
    kept = file.choose_place(5).value();
  }

  const std::string later_boot = "later boot";
  io::LandingFile after{disk.shared, disk.owner(1, 2), later_boot};
  CHECK(after.recognise(kept) == io::FoundAs::nothing);
  CHECK_FALSE(after.file());
  CHECK(after.name().empty());

  io::LandingFile within{disk.shared, disk.owner(1, 2), kBoot};
  CHECK(within.recognise(kept) == io::FoundAs::part);
  CHECK(within.choose_place(5)->target == "a.bin");
  CHECK(disk.put(within) == io::PlaceEnd::done);
  CHECK((disk.names() == Names{"a.bin"}));
}

TEST_CASE("S2-31: a part resumes under the new holder's name, if it is long enough") {
  LandingDisk disk;
  io::Checkpoint kept;
  {
    io::LandingFile file{disk.shared, disk.owner(), kBoot};
    make_part(file, "a.bin", "half");
    kept = file.checkpoint();
  }
  const std::string ours = "a.bin.haul-a1b2c3d4e5f6-3-1-2.part";

  SUBCASE("long enough") {
    io::LandingFile next{disk.shared, disk.owner(1, 2), kBoot};
    CHECK(next.adopt(kept, 4));
    CHECK(next.name() == "a.bin");
    CHECK((disk.names() == Names{ours}));
  }
  SUBCASE("too short") {
    io::LandingFile next{disk.shared, disk.owner(1, 2), kBoot};
    CHECK_FALSE(next.adopt(kept, 5));
    CHECK_FALSE(next.file());
    CHECK(disk.names().empty());
  }
  SUBCASE("another file") {
    ++kept.inode;
    io::LandingFile next{disk.shared, disk.owner(1, 2), kBoot};
    CHECK_FALSE(next.adopt(kept, 4));
    CHECK((disk.names() == Names{kPart}));
  }
}

TEST_CASE("S2-31: a new part never has the inode of the one before, which goes once it exists") {
  LandingDisk disk;
  io::LandingFile file{disk.shared, disk.owner(), kBoot};
  make_part(file, "a.bin", "old");
  const std::uint64_t old = file.checkpoint().inode;

  file.set_aside();
  CHECK_FALSE(file.file());
  CHECK((disk.names() == Names{kPart}));
  REQUIRE(file.create(kSmall + 1));

  CHECK(file.checkpoint().inode != old);
  CHECK((disk.names() == Names{file.checkpoint().part}));
}

TEST_CASE("S2-31: no part gets the name of an earlier one, which a stored checkpoint may have") {
  LandingDisk disk;
  io::LandingFile file{disk.shared, disk.owner(), kBoot};
  make_part(file, "a.bin", "x");
  Names used{file.checkpoint().part};
  for (int i = 0; i < 3; ++i) {
    file.set_aside();
    REQUIRE(file.create(kSmall + 1));
    CHECK_MESSAGE(used.insert(file.checkpoint().part).second, file.checkpoint().part);
  }
}

TEST_CASE("S2-31: a part that replaces one too short to go on with has another name") {
  LandingDisk disk;
  io::Checkpoint kept;
  {
    io::LandingFile file{disk.shared, disk.owner(), kBoot};
    make_part(file, "a.bin", "half");
    kept = file.checkpoint();
  }
  io::LandingFile again{disk.shared, disk.owner(), kBoot};
  CHECK_FALSE(again.adopt(kept, 5));
  make_part(again, "a.bin", "x");
  CHECK(again.checkpoint().part != kept.part);
}

TEST_CASE("F03: parts of earlier leases go, except the one in use and those of other items") {
  LandingDisk disk;
  const std::string other_item = io::part_name("b.bin", disk.owner(2));
  const std::string unknown = io::part_name("x.bin", disk.owner());
  disk.write(other_item, "x");
  disk.write(unknown, "x");
  io::Checkpoint kept;
  {
    io::LandingFile file{disk.shared, disk.owner(), kBoot};
    make_part(file, "a.bin", "whole");
    kept = file.choose_place(5).value();
  }
  io::LandingFolder later = disk.open(2);
  io::LandingFile file{later, disk.owner(1, 2), kBoot};
  REQUIRE(file.recognise(kept) == io::FoundAs::part);

  file.remove_left();

  CHECK((disk.names() == Names{kPart, other_item}));
}

}  // namespace haul::testing

// Part names: written, read again, and never confused with names that are not haul's.

#include "io/file/part_name.h"

#include <doctest/doctest.h>

namespace haul::io {
namespace {

const PartOwner kOwner{"a1b2c3d4e5f6", JobId{3}, 14, 2};

}  // namespace

TEST_CASE("a part's name ends in .part, carries store and fence, and says whose it is") {
  CHECK(part_name("a.jpg", kOwner) == "a.jpg.haul-a1b2c3d4e5f6-3-14-2.part");
  CHECK(part_name("a.jpg", kOwner, 2) == "a.jpg.haul-a1b2c3d4e5f6-3-14-2-2.part");
  for (const std::string& name : {std::string{"a.jpg"}, std::string{}, std::string(300, 'x'),
                                  std::string{"b.haul-9-9-9.part"}, std::string{"ä.gif"}}) {
    CHECK_MESSAGE(owner_of_part(part_name(name, kOwner)) == kOwner, name);
    CHECK_MESSAGE(owner_of_part(part_name(name, kOwner, 7)) == kOwner, name);
    CHECK_MESSAGE(part_name(name, kOwner).size() <= 200, name);
  }
}

TEST_CASE("a file that only looks like a part has no owner") {
  for (const char* name : {"", ".part", "a.part", "a.haul-.part", "a.haul-1.part"})
    CHECK_MESSAGE(!owner_of_part(name), name);
  for (const char* end :
       {"", "-1.part", "-1-2.part", "-1-2-3", "-1-2-3.part ", "-1-2-3-.part", "-1-2-x.part",
        "-1-2-3-4-5.part", "--1-2-3.part", "-1-2--3.part", "-1-2-3x.part",
        "-99999999999999999999-2-3.part", "- 1-2-3.part", "-+1-2-3.part", ".part", "-.part"})
    CHECK_MESSAGE(!owner_of_part(std::string{"a.haul-a1b2c3d4e5f6"} + end), end);
}

TEST_CASE("a part without a store's id has no owner, so haul does not remove it") {
  for (const char* name : {"a.haul-1-2-3.part", "a.haul-1-2-3-4.part",
                           "a.haul-a1b2c3d4e5f-1-2-3.part", "a.haul-a1b2c3d4e5f67-1-2-3.part",
                           "a.haul-A1B2C3D4E5F6-1-2-3.part", "a.haul-g1b2c3d4e5f6-1-2-3.part"})
    CHECK_MESSAGE(!owner_of_part(name), name);
}

TEST_CASE("a part is of an earlier lease if store and job are the same and its fence is lower") {
  const PartOwner holder{"a1b2c3d4e5f6", JobId{3}, 0, 3};
  CHECK(kOwner.is_before(holder));
  CHECK_FALSE(holder.is_before(holder));
  CHECK_FALSE(PartOwner{"a1b2c3d4e5f6", JobId{3}, 14, 4}.is_before(holder));
  CHECK_FALSE(PartOwner{"a1b2c3d4e5f6", JobId{4}, 14, 2}.is_before(holder));
  CHECK_FALSE(PartOwner{"ffffffffffff", JobId{3}, 14, 2}.is_before(holder));
}

}  // namespace haul::io

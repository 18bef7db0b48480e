// Part names: written and read again, and never taken for ours when they are not.

#include "engine/http/part_name.h"

#include <doctest/doctest.h>

namespace haul {
namespace {

const PartOwner kOwner{JobId{3}, 14, 2};

}  // namespace

TEST_CASE("a part's name ends in .part, carries the fence, and says whose it is") {
  CHECK(part_name("a.jpg", kOwner) == "a.jpg.haul-3-14-2.part");
  CHECK(part_name("a.jpg", kOwner, 2) == "a.jpg.haul-3-14-2-2.part");
  for (const std::string& name : {std::string{"a.jpg"}, std::string{}, std::string(300, 'x'),
                                  std::string{"b.haul-9-9-9.part"}, std::string{"ä.gif"}}) {
    CHECK_MESSAGE(owner_of_part(part_name(name, kOwner)) == kOwner, name);
    CHECK_MESSAGE(owner_of_part(part_name(name, kOwner, 7)) == kOwner, name);
    CHECK_MESSAGE(part_name(name, kOwner).size() <= 200, name);
  }
}

TEST_CASE("a file that only looks like a part is nobody's") {
  for (const char* name :
       {"", ".part", "a.part", "a.haul-.part", "a.haul-1.part", "a.haul-1-2.part", "a.haul-1-2-3",
        "a.haul-1-2-3.part ", "a.haul-1-2-3-.part", "a.haul-1-2-x.part", "a.haul-1-2-3-4-5.part",
        "a.haul--1-2-3.part", "a.haul-1-2--3.part", "a.haul-1-2-3x.part",
        "a.haul-99999999999999999999-2-3.part", "a.haul- 1-2-3.part", "a.haul-+1-2-3.part"})
    CHECK_MESSAGE(!owner_of_part(name), name);
}

}  // namespace haul

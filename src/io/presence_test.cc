#include "io/presence.h"

#include <doctest/doctest.h>

#include <fstream>

#include "support/temp_folder.h"

namespace haul {

TEST_CASE("a file is gone only if its folder is there with something else in it") {
  const testing::TempFolder folder;
  CHECK(look_for_file(folder / "a") == Presence::unsure);
  std::ofstream{folder / "a"} << "x";
  CHECK(look_for_file(folder / "a") == Presence::there);
  CHECK(look_for_file(folder / "b") == Presence::gone);
  CHECK(look_for_file(folder / "none/b") == Presence::unsure);
  CHECK(look_for_file(folder / "a/b") == Presence::unsure);
  CHECK(look_for_file(folder.path()) == Presence::there);
}

}  // namespace haul

#include "store/rules/priority.h"

#include <doctest/doctest.h>

namespace haul::rules {

TEST_CASE("an open job takes each priority in range, and no other") {
  for (const int wanted : {-1, 0, 1}) CHECK(grant_priority({.is_open = true, .wanted = wanted}));
  for (const int wanted : {-2, 2}) {
    const auto granted = grant_priority({.is_open = true, .wanted = wanted});
    REQUIRE_FALSE(granted);
    CHECK(granted.error().code == "bad_priority");
    CHECK(granted.error().detail.find("-1 (low), 0 (normal) or 1 (high)") != std::string::npos);
  }
}

TEST_CASE("the event of a new priority has both; the same priority is no change") {
  const auto granted = grant_priority({.is_open = true, .now = -1, .wanted = 1});
  REQUIRE(granted);
  CHECK((*granted)->data == R"({"from":-1,"to":1})");
  const auto same = grant_priority({.is_open = true, .now = 1, .wanted = 1});
  REQUIRE(same);
  CHECK_FALSE(*same);
}

TEST_CASE("an ended job has no use for a priority") {
  CHECK(grant_priority({.is_open = false, .wanted = 1}).error().code == "ended");
}

}  // namespace haul::rules

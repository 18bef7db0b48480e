// List C of the hostile inputs: tables that could not work. The built-in tables pass the same check
// when they are compiled.

#include <doctest/doctest.h>

#include "hostile/tables.h"

namespace haul {
namespace {

std::string found_in(const testing::HostileTable& table) {
  const CheckResult found =
      check(Lifecycle{.name = "test", .states = table.states, .moves = table.moves});
  return std::string{name(found.problem)} +
         (found.where.empty() ? "" : " " + std::string{found.where});
}

}  // namespace

TEST_CASE("C26, C27, C29: every table of list C is refused, with the state that is wrong") {
  for (const testing::HostileTable& table : testing::kHostileTables) {
    INFO(table.id << ": " << table.found);
    CHECK(found_in(table) == table.found);
  }
}

}  // namespace haul

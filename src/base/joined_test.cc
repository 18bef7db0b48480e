#include "base/joined.h"

#include <doctest/doctest.h>

#include <string>

namespace haul {
namespace {

constexpr std::string_view kA = "SELECT ";
constexpr std::string_view kB = "1";
constexpr std::string_view kNothing;

constexpr const char* kOnce = Joined<kA, kB>::kText;

}  // namespace

TEST_CASE("parts are joined in order, as often as they are named") {
  CHECK(std::string{Joined<kA, kB, kB>::kText} == "SELECT 11");
  CHECK(std::string{Joined<kNothing, kA, kNothing>::kText} == "SELECT ");
  CHECK(std::string{Joined<kNothing>::kText}.empty());
}

TEST_CASE("a joined text has one address") { CHECK(Joined<kA, kB>::kText == kOnce); }

}  // namespace haul

#include "cli/commands/number_check.h"

#include <doctest/doctest.h>

namespace haul::cli {

TEST_CASE("a count is a whole number of at least 1, and its error is one short line") {
  for (const char* fine : {"1", "9223372036854775807"}) CHECK(wrong_with_count(fine).empty());
  for (const char* bad : {"0", "-1", "", "abc", "1.5", "1x", "9223372036854775808"}) {
    CHECK_MESSAGE(!wrong_with_count(bad).empty(), bad);
    CHECK(wrong_with_count(bad).size() < 80);
  }
  CHECK(wrong_if_empty("7d").empty());
  CHECK_FALSE(wrong_if_empty("").empty());
  CHECK(wrong_with_count("abc") == "\"abc\" is not a whole number of at least 1");
}

TEST_CASE("a size lies within its range, both ends included") {
  const SizeRange range{.least = 1'024, .most = 1 << 20};
  for (const char* fine : {"1024", "1048576"}) CHECK(wrong_with_bytes(fine, range).empty());
  for (const char* bad : {"1023", "1048577", "0", "-5", "", "x"})
    CHECK_MESSAGE(!wrong_with_bytes(bad, range).empty(), bad);
  CHECK(wrong_with_bytes("-5", range) ==
        "\"-5\" is not a size from 1.0 KiB to 1.0 MiB (expected e.g. 500M)");
}

}  // namespace haul::cli

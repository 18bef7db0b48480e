#include "flow/takeover/old_time.h"

#include <doctest/doctest.h>

#include <string>

namespace haul::flow {
namespace {

std::string read(std::string_view text) {
  const auto at = read_old_time(text);
  return at ? to_iso(*at) : "nothing";
}

}  // namespace

TEST_CASE("Z-17: a time of an old database is read as SQLite, Go and others write it") {
  CHECK(read("2026-01-19 10:11:12") == "2026-01-19T10:11:12.000Z");
  CHECK(read("2026-01-19T10:11:12Z") == "2026-01-19T10:11:12.000Z");
  CHECK(read("2026-01-19T10:11:12.5+01:00") == "2026-01-19T09:11:12.500Z");
  CHECK(read("2026-01-19 10:11:12.123456789 +0000 UTC") == "2026-01-19T10:11:12.123Z");
  CHECK(read("2026-01-19 10:11:12.1 -0530 -0530 m=+3.2") == "2026-01-19T15:41:12.100Z");
  CHECK(read("2026-01-19") == "2026-01-19T00:00:00.000Z");
  CHECK(read("2024-02-29 23:59:59") == "2024-02-29T23:59:59.000Z");
}

TEST_CASE("Z-17: a time of an old database may be a count of seconds or of milliseconds") {
  CHECK(read("1768817472") == "2026-01-19T10:11:12.000Z");
  CHECK(read("1768817472345") == "2026-01-19T10:11:12.345Z");
  CHECK(read("100000000") == "1973-03-03T09:46:40.000Z");
  CHECK(read("99999999") == "nothing");
  CHECK(read("99999999999") == "5138-11-16T09:46:39.000Z");   // Still seconds.
  CHECK(read("100000000000") == "1973-03-03T09:46:40.000Z");  // Milliseconds.
  CHECK(read("123456789012345") == "nothing");
}

TEST_CASE("Z-17: what is no time is not guessed") {
  for (const char* text :
       {"", " ", "soon", "-1", "2026", "2026-1-9", "2026-13-01", "2026-02-29",
        "2026-01-19 24:00:00", "2026-01-19 10:60:00", "2026-01-19 10:11:60", "2026-01-19 10:11",
        "2026-01-19 10:11:12 CET", "2026-01-19 10:11:12x", "2026-01-19 10:11:12+1", "2026-01-19x",
        "1969-12-31 23:59:59", "2460694.5"}) {
    CAPTURE(text);
    CHECK(read(text) == "nothing");
  }
  CHECK(read("1970-01-01 00:30:00+01:00") == "nothing");  // Half an hour before 1970.
}

}  // namespace haul::flow

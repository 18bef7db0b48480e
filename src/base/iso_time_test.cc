#include "base/iso_time.h"

#include <doctest/doctest.h>

namespace haul {
namespace {

TEST_CASE("a time is read as it is printed, and with less than that") {
  for (const char* text :
       {"2026-02-03T04:05:06.789Z", "1970-01-01T00:00:00.000Z", "2024-02-29T23:59:59.999Z"})
    CHECK(to_iso(read_iso(text).value()) == text);
  CHECK(to_iso(read_iso("2026-02-03T04:05Z").value()) == "2026-02-03T04:05:00.000Z");
  CHECK(to_iso(read_iso("2026-02-03T04:05:06Z").value()) == "2026-02-03T04:05:06.000Z");
  CHECK(to_iso(read_iso("2026-02-03T04:05:06.5Z").value()) == "2026-02-03T04:05:06.500Z");
}

TEST_CASE("a text that is no time in UTC is not read") {
  for (const char* text :
       {"", "2026-02-03", "2026-02-03T04:05:06", "2026-02-03T04:05:06+01:00", "2026-2-3T04:05:06Z",
        "2025-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-02-03T24:00:00Z",
        "2026-02-03T04:60:00Z", "2026-02-03T04:05:60Z", "2026-02-03T04:05:06.Z",
        "2026-02-03T04:05:06.1234Z", "2026-02-03T04:05:06Z ", "-026-02-03T04:05:06Z"})
    CHECK_MESSAGE(!read_iso(text), text);
}

}  // namespace
}  // namespace haul

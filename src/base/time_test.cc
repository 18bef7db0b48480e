#include "base/time.h"

#include <doctest/doctest.h>

namespace haul {
namespace {

using namespace std::chrono_literals;

TEST_CASE("the epoch is the first millisecond of 1970, in UTC") {
  CHECK(to_iso(from_unix_ms(0)) == "1970-01-01T00:00:00.000Z");
  CHECK(to_iso(from_unix_ms(1)) == "1970-01-01T00:00:00.001Z");
}

TEST_CASE("time before the epoch counts down through 1969, not backwards within the second") {
  CHECK(to_iso(from_unix_ms(-1)) == "1969-12-31T23:59:59.999Z");
  CHECK(to_iso(from_unix_ms(-1'000)) == "1969-12-31T23:59:59.000Z");
  CHECK(to_iso(from_unix_ms(-86'400'000)) == "1969-12-31T00:00:00.000Z");
}

TEST_CASE("the last second that fits 32 bits is followed by another, in 2038 and in 2106") {
  CHECK(to_iso(from_unix_ms(2'147'483'647'000)) == "2038-01-19T03:14:07.000Z");
  CHECK(to_iso(from_unix_ms(2'147'483'648'000)) == "2038-01-19T03:14:08.000Z");
  CHECK(to_iso(from_unix_ms(4'294'967'296'000)) == "2106-02-07T06:28:16.000Z");
}

TEST_CASE("a leap day is there in 2024 and in 2000, and not in 2023 or 2100") {
  const auto day_after = [](std::chrono::year year) {
    const std::chrono::sys_days last{year / std::chrono::February / 28};
    return to_iso(Time{last} + 24h).substr(0, 10);
  };

  CHECK(day_after(2024y) == "2024-02-29");
  CHECK(day_after(2000y) == "2000-02-29");
  CHECK(day_after(2023y) == "2023-03-01");
  CHECK(day_after(2100y) == "2100-03-01");
  CHECK(to_iso(from_unix_ms(1'709'251'199'999)) == "2024-02-29T23:59:59.999Z");
  CHECK(to_iso(from_unix_ms(1'709'251'200'000)) == "2024-03-01T00:00:00.000Z");
}

TEST_CASE("every field has its full width, so that times sort as text up to the year 9999") {
  CHECK(to_iso(from_unix_ms(1'770'091'506'007)) == "2026-02-03T04:05:06.007Z");
  CHECK(to_iso(from_unix_ms(253'402'300'799'999)) == "9999-12-31T23:59:59.999Z");
  CHECK(to_iso(from_unix_ms(253'402'300'800'000)) == "10000-01-01T00:00:00.000Z");
}

TEST_CASE("a file stamp is the same second without what a file name cannot carry") {
  CHECK(to_file_stamp(from_unix_ms(1'770'091'506'999)) == "20260203-040506");
  CHECK(to_file_stamp(from_unix_ms(0)) == "19700101-000000");
  CHECK(to_file_stamp(from_unix_ms(-1)) == "19691231-235959");
}

TEST_CASE("milliseconds go into a time and come out again") {
  for (const std::int64_t unix_ms : {0LL, -1LL, 1'770'091'506'789LL, -62'135'596'800'000LL})
    CHECK(to_unix_ms(from_unix_ms(unix_ms)) == unix_ms);
  static_assert(from_unix_ms(1'000) - from_unix_ms(0) == 1s);
}

}  // namespace
TEST_CASE("Z-23: durations have a unit, and only nothing needs none") {
  CHECK((read_duration("500ms") == Millis{500}));
  CHECK((read_duration("15s") == Millis{15'000}));
  CHECK((read_duration("5m") == Millis{300'000}));
  CHECK((read_duration("1h") == Millis{3'600'000}));
  CHECK((read_duration("2d") == Millis{172'800'000}));
  CHECK((read_duration("0") == Millis{0}));
  for (const char* wrong :
       {"", "1", "s", "-1s", "1.5s", "1 s", "1S", "1sec", "0x1s", "1000000001s"}) {
    CAPTURE(wrong);
    CHECK_FALSE(read_duration(wrong).has_value());
  }
}

TEST_CASE("Z-23: a duration is written in the largest unit without a rest, as it is read") {
  for (const char* text : {"0", "1ms", "999ms", "1001ms", "1s", "59s", "61s", "1m", "90m", "1h",
                           "23h", "25h", "1d", "7d", "8d"}) {
    CAPTURE(text);
    CHECK(duration_text(read_duration(text).value_or(Millis{-1})) == text);
  }
  CHECK(duration_text(60s) == "1m");
  CHECK(duration_text(3'600s) == "1h");
  CHECK(duration_text(604'800s) == "7d");
}

}  // namespace haul

#include "cli/draw/bytes.h"

#include <doctest/doctest.h>

#include <limits>

namespace haul::cli {
namespace {

using namespace std::chrono_literals;

constexpr std::int64_t kKiB = 1024;
constexpr std::int64_t kMiB = 1024 * kKiB;
constexpr std::int64_t kGiB = 1024 * kMiB;

TEST_CASE("an amount has one decimal below a hundred of its unit and none above") {
  CHECK(bytes_text(0) == "0 B");
  CHECK(bytes_text(1023) == "1023 B");
  CHECK(bytes_text(1024) == "1.0 KiB");
  CHECK(bytes_text(340 * kKiB) == "340 KiB");
  CHECK(bytes_text(99 * kKiB + 971) == "99.9 KiB");
  CHECK(bytes_text(99 * kKiB + 973) == "100 KiB");
  CHECK(bytes_text(kGiB + kGiB / 5) == "1.2 GiB");
}

TEST_CASE("an amount just below the next unit is given in that unit, never as 1024") {
  CHECK(bytes_text(1023 * kKiB + 511) == "1023 KiB");
  CHECK(bytes_text(1023 * kKiB + 512) == "1.0 MiB");
  CHECK(bytes_text(kMiB - 1) == "1.0 MiB");
  CHECK(bytes_text(kGiB - 1) == "1.0 GiB");
}

TEST_CASE("amounts that no file has still fit eight columns") {
  CHECK(bytes_text(-1) == "0 B");
  CHECK(bytes_text(std::numeric_limits<std::int64_t>::min()) == "0 B");
  CHECK(bytes_text(std::numeric_limits<std::int64_t>::max()) == "8.0 EiB");
  for (int shift = 0; shift < 63; ++shift)
    for (const std::int64_t near : {-1, 0, 1})
      CHECK(bytes_text((std::int64_t{1} << shift) + near).size() <= 8);
}

TEST_CASE("a speed is an amount per second; an invalid speed is zero") {
  CHECK(speed_text(340.0 * 1024) == "340 KiB/s");
  CHECK(speed_text(0.9) == "0 B/s");
  CHECK(speed_text(-5) == "0 B/s");
  CHECK(speed_text(std::numeric_limits<double>::infinity()) == "0 B/s");
  CHECK(speed_text(std::numeric_limits<double>::quiet_NaN()) == "0 B/s");
}

TEST_CASE("time left is minutes and seconds, then hours, and days from a hundred hours") {
  CHECK(left_text(-1s) == "0:00");
  CHECK(left_text(7s) == "0:07");
  CHECK(left_text(59min + 59s) == "59:59");
  CHECK(left_text(1h) == "1:00:00");
  CHECK(left_text(1h + 2min + 3s) == "1:02:03");
  CHECK(left_text(100h - 1s) == "99:59:59");
  CHECK(left_text(108h) == "4 d 12 h");
  CHECK(left_text(240h - 1s) == "9 d 23 h");
  CHECK(left_text(240h) == "10 d");
  CHECK(left_text(24000h - 1s) == "999 d");
  CHECK(left_text(24000h) == "> 999 d");
  CHECK(left_text(std::chrono::seconds::max()) == "> 999 d");
}

TEST_CASE("time passed shows tenths in the first minute") {
  CHECK(passed_text(-1ms) == "0.0 s");
  CHECK(passed_text(849ms) == "0.8 s");
  CHECK(passed_text(59'999ms) == "59.9 s");
  CHECK(passed_text(60s) == "1:00");
}

TEST_CASE("a count has a comma before every third digit") {
  CHECK(count_text(0) == "0");
  CHECK(count_text(999) == "999");
  CHECK(count_text(1000) == "1,000");
  CHECK(count_text(123456) == "123,456");
  CHECK(count_text(1234567) == "1,234,567");
  CHECK(count_text(-999) == "-999");
  CHECK(count_text(-1000) == "-1,000");
}

}  // namespace
}  // namespace haul::cli

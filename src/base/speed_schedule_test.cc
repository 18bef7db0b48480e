// Which speed limit holds when: edges of windows, midnight, days, and changes of the clocks.

#include "base/speed_schedule.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "base/iso_time.h"

using namespace haul;
using namespace std::chrono_literals;

namespace {

Time at(std::string_view iso) { return read_iso(iso).value(); }

// Central European Time in 2026: summer time from 29 March to 25 October, both 01:00 UTC.
Millis berlin(Time time) {
  return time >= at("2026-03-29T01:00Z") && time < at("2026-10-25T01:00Z") ? 2h : 1h;
}

SpeedPlan plan(const std::vector<std::string>& windows, ZoneOffset zone = utc) {
  SpeedPlan made{.otherwise = 9'000, .zone = zone};
  for (const std::string& each : windows) made.windows.push_back(read_speed_window(each).value());
  return made;
}

std::string why_not(std::string_view text) {
  const auto window = read_speed_window(text);
  return window ? "fine" : window.error();
}

// "2048 until 2026-11-17T18:00:00.000Z"
std::string shown(const SpeedPlan& plan, std::string_view iso) {
  const SpeedNow speed = speed_at(plan, at(iso));
  return std::to_string(speed.per_second) + (speed.until ? " until " + to_iso(*speed.until) : "");
}

}  // namespace

TEST_CASE("a window holds from its first minute until before its last") {
  const SpeedPlan day = plan({"08:00-18:00 2K"});

  CHECK(rate_at(day, at("2026-11-17T07:59:59.999Z")) == 9'000);
  CHECK(rate_at(day, at("2026-11-17T08:00Z")) == 2'048);
  CHECK(rate_at(day, at("2026-11-17T17:59:59.999Z")) == 2'048);
  CHECK(rate_at(day, at("2026-11-17T18:00Z")) == 9'000);
  CHECK(rate_at(plan({"00:00-24:00 2K"}), at("2026-11-17T00:00Z")) == 2'048);
  CHECK(rate_at(plan({"00:00-24:00 2K"}), at("2026-11-17T23:59:59.999Z")) == 2'048);
}

TEST_CASE("the first window that holds wins, and unlimited is a limit of none") {
  const SpeedPlan both = plan({"10:00-11:00 unlimited", "08:00-18:00 2K"});

  CHECK(rate_at(both, at("2026-11-17T09:59Z")) == 2'048);
  CHECK(rate_at(both, at("2026-11-17T10:00Z")) == 0);
  CHECK(rate_at(both, at("2026-11-17T11:00Z")) == 2'048);
  CHECK(set_by(speed_at(both, at("2026-11-17T10:00Z"))) == "transfer.speed_schedule[0]");
  CHECK(set_by(speed_at(both, at("2026-11-17T11:00Z"))) == "transfer.speed_schedule[1]");
  CHECK(set_by(speed_at(both, at("2026-11-17T18:00Z"))) == "transfer.speed_limit");
}

TEST_CASE("a window over midnight belongs to the day on which it begins") {
  const SpeedPlan friday = plan({"fri 22:00-06:00 2K"});  // 20 November 2026 is a Friday.

  CHECK(rate_at(friday, at("2026-11-20T05:59Z")) == 9'000);
  CHECK(rate_at(friday, at("2026-11-20T21:59Z")) == 9'000);
  CHECK(rate_at(friday, at("2026-11-20T22:00Z")) == 2'048);
  CHECK(rate_at(friday, at("2026-11-21T05:59Z")) == 2'048);
  CHECK(rate_at(friday, at("2026-11-21T06:00Z")) == 9'000);
  CHECK(rate_at(friday, at("2026-11-21T22:00Z")) == 9'000);
}

TEST_CASE("days are one, a range, or a range over the weekend, in any case") {
  const auto holds_on = [](const char* days) {
    const SpeedPlan made = plan({std::string{days} + " 12:00-13:00 2K"});
    std::string on;
    for (int day = 15; day < 22; ++day)  // 15 November 2026 is a Sunday.
      on += rate_at(made, at("2026-11-" + std::to_string(day) + "T12:00Z")) == 2'048 ? 'x' : '.';
    return on;
  };
  CHECK(holds_on("mon-fri") == ".xxxxx.");
  CHECK(holds_on("Fri-MON") == "xx...xx");
  CHECK(holds_on("sat") == "......x");
  CHECK(holds_on("sun-sat") == "xxxxxxx");
}

TEST_CASE("the end of a limit is where another one begins, or never") {
  CHECK(shown(plan({}), "2026-11-17T09:00Z") == "9000");
  CHECK(shown(plan({"00:00-24:00 2K"}), "2026-11-17T09:00Z") == "2048");
  CHECK(shown(plan({"08:00-18:00 2K"}), "2026-11-17T07:59:30Z") ==
        "9000 until 2026-11-17T08:00:00.000Z");
  CHECK(shown(plan({"08:00-18:00 2K"}), "2026-11-17T08:00Z") ==
        "2048 until 2026-11-17T18:00:00.000Z");
  CHECK(shown(plan({"08:00-12:00 2K", "12:00-18:07 2K"}), "2026-11-17T11:59:59.999Z") ==
        "2048 until 2026-11-17T18:07:00.000Z");
  CHECK(shown(plan({"tue 08:00-09:00 2K"}), "2026-11-17T09:00Z") ==
        "9000 until 2026-11-24T08:00:00.000Z");
}

TEST_CASE("windows follow local time when the clocks go forward and back") {
  // 29 March: 02:00 becomes 03:00. 25 October: 03:00 becomes 02:00.
  const SpeedPlan night = plan({"01:30-03:30 2K"}, berlin);
  CHECK(shown(night, "2026-03-29T00:29:59Z") == "9000 until 2026-03-29T00:30:00.000Z");
  CHECK(shown(night, "2026-03-29T00:30Z") == "2048 until 2026-03-29T01:30:00.000Z");
  CHECK(shown(night, "2026-03-29T01:30Z") == "9000 until 2026-03-29T23:30:00.000Z");
  CHECK(shown(night, "2026-10-24T23:30Z") == "2048 until 2026-10-25T02:30:00.000Z");
  CHECK(shown(night, "2026-10-25T02:30Z") == "9000 until 2026-10-26T00:30:00.000Z");

  const SpeedPlan within = plan({"02:15-02:45 2K"}, berlin);  // Skipped, and repeated.
  CHECK(shown(within, "2026-03-29T00:59:59Z") == "9000 until 2026-03-30T00:15:00.000Z");
  CHECK(shown(within, "2026-10-25T00:15Z") == "2048 until 2026-10-25T00:45:00.000Z");
  CHECK(shown(within, "2026-10-25T00:45Z") == "9000 until 2026-10-25T01:15:00.000Z");

  const SpeedPlan until_skipped = plan({"01:00-02:30 2K"}, berlin);
  CHECK(shown(until_skipped, "2026-03-29T00:00Z") == "2048 until 2026-03-29T01:00:00.000Z");
}

TEST_CASE("a window that cannot be read is told with what was expected") {
  for (const char* fine : {"08:00-18:00 2M", "mon-fri 18:00-23:30 10M", " sat  00:00-24:00  1K ",
                           "22:00-00:00 unlimited", "00:00-00:01 1024"})
    CHECK_MESSAGE(why_not(fine) == "fine", fine);

  CHECK(
      why_not("").ends_with("(expected e.g. \"08:00-18:00 2M\" or \"mon-fri 22:00-06:00 "
                            "unlimited\")"));
  CHECK(why_not("08:00-18:00").starts_with("\"08:00-18:00\" is not a window"));
  CHECK(why_not("mon tue 08:00-18:00 2M").find("is not a window") != std::string::npos);
  CHECK(why_not("moon 08:00-18:00 2M") == "\"moon\" names no days (expected e.g. mon-fri or sat)");
  CHECK(why_not("mon- 08:00-18:00 2M").starts_with("\"mon-\" names no days"));
  CHECK(why_not("08:00-08:00 2M").starts_with("\"08:00-08:00\" is empty"));
  for (const char* times : {"8:00-18:00", "08:00", "08:60-18:00", "24:00-08:00", "08:00-24:01",
                            "08:00-18:00-20:00", "08-18", "-1:00-18:00", "\xC3\xA9:00-18:00"})
    CHECK_MESSAGE(
        why_not(std::string{times} + " 2M").find("is not two times of day") != std::string::npos,
        times);
  for (const char* rate : {"fast", "1023", "0", "-1", "2X"})
    CHECK_MESSAGE(why_not(std::string{"08:00-18:00 "} + rate)
                      .ends_with("is not a speed (expected at least 1K per second, or "
                                 "unlimited)"),
                  rate);
}

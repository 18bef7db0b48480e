#include "base/time.h"

#include <fmt/core.h>

namespace haul {
namespace {

struct Parts {
  std::chrono::year_month_day day;
  std::chrono::hh_mm_ss<Millis> clock;
};

Parts split(Time at) {
  const auto midnight = std::chrono::floor<std::chrono::days>(at);
  return {std::chrono::year_month_day{midnight}, std::chrono::hh_mm_ss<Millis>{at - midnight}};
}

}  // namespace

std::string to_iso(Time at) {
  const auto [day, clock] = split(at);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", int{day.year()},
                     unsigned{day.month()}, unsigned{day.day()}, clock.hours().count(),
                     clock.minutes().count(), clock.seconds().count(), clock.subseconds().count());
}

std::string to_file_stamp(Time at) {
  const auto [day, clock] = split(at);
  return fmt::format("{:04}{:02}{:02}-{:02}{:02}{:02}", int{day.year()}, unsigned{day.month()},
                     unsigned{day.day()}, clock.hours().count(), clock.minutes().count(),
                     clock.seconds().count());
}

}  // namespace haul

#pragma once
// Stopwatch, medians, and the shape of a row in the report.

#include <fmt/core.h>
#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <string>
#include <vector>

namespace haul::bench {

struct Spent {
  double wall_s = 0;
  double cpu_s = 0;
};

inline double cpu_seconds() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

inline double wall_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

template <class Work>
Spent timed(const Work& work) {
  const double wall = wall_seconds();
  const double cpu = cpu_seconds();
  work();
  return {wall_seconds() - wall, cpu_seconds() - cpu};
}

inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  if (n == 0) return 0;
  return n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

// One measurement of both sides, with one value per round.
struct Pair {
  std::vector<double> ours;
  std::vector<double> theirs;

  std::vector<double> ratios() const {
    std::vector<double> all;
    for (std::size_t i = 0; i < ours.size(); ++i) all.push_back(ours[i] / theirs[i]);
    return all;
  }
};

inline void print_row(const std::string& what, const Pair& pair, const char* wanted) {
  std::vector<double> ratios = pair.ratios();
  std::sort(ratios.begin(), ratios.end());
  fmt::print("| {} | {:.0f} | {:.0f} | {:.2f} [{:.2f}–{:.2f}] | {} |\n", what, median(pair.ours),
             median(pair.theirs), median(ratios), ratios.front(), ratios.back(), wanted);
  std::fflush(stdout);
}

}  // namespace haul::bench

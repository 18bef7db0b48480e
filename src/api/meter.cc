#include "api/meter.h"

#include <fmt/core.h>

namespace haul {
namespace {

constexpr std::size_t kCountersMax = 2'000;  // Labels come from tables and reason codes: few.

std::string family_of(const std::string& counter) { return counter.substr(0, counter.find('{')); }

}  // namespace

void Histogram::see(std::int64_t value) {
  std::size_t bucket = 0;
  while (bucket < kBoundsMs.size() && value > kBoundsMs.at(bucket)) ++bucket;
  const Lock lock{mutex_};
  ++counts_.at(bucket);
  sum_ += static_cast<std::uint64_t>(std::max<std::int64_t>(value, 0));
}

std::string Histogram::text(std::string_view name, std::string_view help, double scale) const {
  const Lock lock{mutex_};
  std::string out = fmt::format("# HELP {0} {1}\n# TYPE {0} histogram\n", name, help);
  std::uint64_t so_far = 0;
  for (std::size_t i = 0; i < kBoundsMs.size(); ++i) {
    so_far += counts_.at(i);
    out += fmt::format("{}_bucket{{le=\"{}\"}} {}\n", name,
                       static_cast<double>(kBoundsMs.at(i)) / scale, so_far);
  }
  so_far += counts_.back();
  out += fmt::format("{0}_bucket{{le=\"+Inf\"}} {1}\n{0}_sum {2}\n{0}_count {1}\n", name, so_far,
                     static_cast<double>(sum_) / scale);
  return out;
}

void Meter::count(const std::string& counter) {
  const Lock lock{mutex_};
  if (counters_.size() >= kCountersMax && !counters_.contains(counter)) return;
  ++counters_[counter];
}

std::string Meter::text() const {
  std::string out =
      answers_ms.text("haul_api_seconds", "How long the API took to answer.", 1'000) +
      group_commands.text("haul_commit_commands", "Commands that shared a commit.", 1);
  out += fmt::format(
      "# TYPE haul_commits_total counter\nhaul_commits_total {}\n"
      "# TYPE haul_log_pages gauge\nhaul_log_pages {}\n"
      "# TYPE haul_bytes_total counter\nhaul_bytes_total {}\n",
      commits.load(), log_pages.load(), bytes.load());
  const Lock lock{mutex_};
  std::string family;
  for (const auto& [counter, value] : counters_) {
    if (family_of(counter) != family) {
      family = family_of(counter);
      out += fmt::format("# TYPE {} counter\n", family);
    }
    out += fmt::format("{} {}\n", counter, value);
  }
  return out;
}

}  // namespace haul

#include "io/file/taken_names.h"

#include <algorithm>

#include "base/ascii.h"
#include "io/file/filename.h"

namespace haul::io {
namespace {

constexpr int kNumberMax = 1'000'000'000;

// Returns `first` if it is free, or else a free number whose predecessor is taken. Steps double, so
// that ten thousand taken numbers cost about thirty questions. Zero if there is no free number.
int free_number(int first, const std::function<bool(int)>& is_taken) {
  if (!is_taken(first)) return first;
  int taken = first;
  int free = first + 1;
  for (int step = 1; is_taken(free); step *= 2) {
    taken = free;
    if (free > kNumberMax - step) return 0;
    free += step;
  }
  while (free - taken > 1) {
    const int middle = taken + (free - taken) / 2;
    (is_taken(middle) ? taken : free) = middle;
  }
  return free;
}

}  // namespace

std::string TakenNames::choose(const std::string& folder, const std::string& name,
                               const IsThere& is_there) {
  const std::string key = lower(folder + name);
  const auto known = next_.find(key);
  const int number = free_number(known == next_.end() ? 1 : known->second, [&](int n) {
    const std::string wanted = numbered(name, n);
    return held_.contains(lower(folder + wanted)) || is_there(wanted);
  });
  if (number == 0) return {};
  if (number > 1) next_[key] = number + 1;
  std::string chosen = numbered(name, number);
  held_.insert(lower(folder + chosen));
  return chosen;
}

void TakenNames::hold(const std::string& folder, const std::string& name) {
  held_.insert(lower(folder + name));
}

bool TakenNames::is_held(const std::string& folder, const std::string& name) const {
  return held_.contains(lower(folder + name));
}

void TakenNames::give_back(const std::string& folder, const std::string& chosen) {
  held_.erase(lower(folder + chosen));
}

}  // namespace haul::io

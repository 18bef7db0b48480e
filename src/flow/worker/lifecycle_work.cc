#include "flow/worker/lifecycle_work.h"

#include <algorithm>

namespace haul::flow {

const LifecycleWork* find_work(std::span<const LifecycleWork> all, const Lifecycle& lifecycle) {
  const auto found = std::ranges::find(all, &lifecycle, &LifecycleWork::lifecycle);
  return found == all.end() ? nullptr : &*found;
}

std::string not_ready(std::span<const LifecycleWork> all, const Lifecycle& lifecycle,
                      std::string_view engine) {
  const LifecycleWork* work = find_work(all, lifecycle);
  return work ? work->not_ready(engine) : std::string{};
}

bool is_ready(std::span<const LifecycleWork> all, const Lifecycle& lifecycle) {
  const LifecycleWork* work = find_work(all, lifecycle);
  return work && work->not_ready({}).empty();
}

std::string both_not_ready(const Lack& first, const Lack& second) {
  if (first.text.empty() || first == second) return second.text;
  if (second.text.empty()) return first.text;
  if (first.remedy != second.remedy)
    return first.remedy == Lack::Remedy::none ? first.text : second.text;
  return first.text + "; " + second.text;
}

}  // namespace haul::flow

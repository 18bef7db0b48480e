#include "flow/worker/settings.h"

#include <algorithm>

namespace haul::flow {

Millis lease_of(const Settings& settings, const Lifecycle& lifecycle) {
  const auto rule = std::ranges::find(settings.leases, &lifecycle, &LeaseRule::lifecycle);
  return rule == settings.leases.end() ? Millis{lifecycle.lease_after} : rule->after;
}

}  // namespace haul::flow

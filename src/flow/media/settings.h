#pragma once
// The settings of films alone.

#include "base/backoff.h"

namespace haul::flow {

struct MediaSettings {
  // How long a film waits before haul asks for its proof again, or tries again what another program
  // or a user must fix first.
  Backoff again{.base = Millis{15'000}, .cap = Millis{300'000}, .jitter = 0, .floor = Millis{0}};
  bool clean_source = true;  // S1-12: remove the source after verification.
};

}  // namespace haul::flow

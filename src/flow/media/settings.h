#pragma once
// The settings of films alone.

#include "base/time.h"

namespace haul::flow {

struct MediaSettings {
  Millis verify_every{60'000};  // How often haul asks a media server again.
  bool clean_source = true;     // S1-12: remove the source after verification.
};

}  // namespace haul::flow

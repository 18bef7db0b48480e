#include "sim/fakes.h"

namespace haul::sim {

Fakes::Fakes(World& world)
    : world_{world},
      client_{make_client(*this)},
      http_{make_http(*this)},
      disk_{make_disk(*this)},
      images_{make_images(*this)},
      library_{make_library(*this)},
      chat_{make_chat(*this)},
      bucket_{make_bucket(*this)} {}

Fakes::~Fakes() = default;

flow::Outside Fakes::outside() {
  return {*client_, *http_, *disk_, *images_, *library_, *chat_, *bucket_};
}

Fault Fakes::some_fault() {
  if (strikes(Chaos::full_disk, 4)) return {FaultKind::environment, "disk_full", ""};
  if (below(3) == 0) return {FaultKind::permanent, "gone", "404"};
  return {FaultKind::retryable, "server_error", "503"};
}

}  // namespace haul::sim

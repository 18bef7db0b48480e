#include "sim/faults.h"

namespace haul::sim {

// clang-format off
std::string_view name(Chaos chaos) {
  switch (chaos) {
    case Chaos::engine_fails: return "engine_fails";
    case Chaos::engine_vanishes: return "engine_vanishes";
    case Chaos::late_sights: return "late_sights";
    case Chaos::double_sights: return "double_sights";
    case Chaos::lost_replies: return "lost_replies";
    case Chaos::worker_crashes: return "worker_crashes";
    case Chaos::worker_pauses: return "worker_pauses";
    case Chaos::clock_jumps: return "clock_jumps";
    case Chaos::full_disk: return "full_disk";
    case Chaos::users: return "users";
  }
  return "?";  // Not reached: the switch is complete.
}
// clang-format on

}  // namespace haul::sim

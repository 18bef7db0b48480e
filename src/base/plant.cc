#include "base/plant.h"

#ifdef HAUL_PLANTS

namespace haul {
namespace {

Plant the_plant = Plant::none;  // No lock: the tests' build is single-threaded where this matters.

}  // namespace

bool planted(Plant plant) { return the_plant == plant; }
void plant(Plant plant) { the_plant = plant; }

// clang-format off
std::string_view name(Plant plant) {
  switch (plant) {
    case Plant::none: return "none";
    case Plant::no_fence: return "no_fence";
    case Plant::no_compare: return "no_compare";
    case Plant::event_after_commit: return "event_after_commit";
    case Plant::rescue_by_memory: return "rescue_by_memory";
    case Plant::completion_by_id: return "completion_by_id";
    case Plant::refund_twice: return "refund_twice";
    case Plant::window_key_off: return "window_key_off";
    case Plant::grace_by_wall: return "grace_by_wall";
    case Plant::unreachable_is_missing: return "unreachable_is_missing";
    case Plant::full_disk_burns: return "full_disk_burns";
    case Plant::cancel_in_memory: return "cancel_in_memory";
    case Plant::effect_before_intent: return "effect_before_intent";
    case Plant::starving_order: return "starving_order";
    case Plant::zombie_items: return "zombie_items";
    case Plant::loss_not_counted: return "loss_not_counted";
    case Plant::release_counts: return "release_counts";
    case Plant::reject_unresolved: return "reject_unresolved";
    case Plant::clean_without_lease: return "clean_without_lease";
    case Plant::hand_over_unwritten: return "hand_over_unwritten";
    case Plant::hand_over_after_cancel: return "hand_over_after_cancel";
    case Plant::starts_together: return "starts_together";
    case Plant::landing_skipped: return "landing_skipped";
    case Plant::item_untold: return "item_untold";
  }
  return "?";  // Not reached: the switch is complete.
}
// clang-format on

}  // namespace haul

#endif

#include "base/planted_bug.h"

#ifdef HAUL_PLANTED_BUGS

namespace haul {
namespace {

PlantedBug switched_on =
    PlantedBug::none;  // No lock: the tests' build is single-threaded where this matters.

}  // namespace

bool planted(PlantedBug bug) { return switched_on == bug; }
void switch_on(PlantedBug bug) { switched_on = bug; }

// clang-format off
std::string_view name(PlantedBug bug) {
  switch (bug) {
    case PlantedBug::none: return "none";
    case PlantedBug::no_fence: return "no_fence";
    case PlantedBug::no_compare: return "no_compare";
    case PlantedBug::event_after_commit: return "event_after_commit";
    case PlantedBug::rescue_by_memory: return "rescue_by_memory";
    case PlantedBug::completion_by_id: return "completion_by_id";
    case PlantedBug::refund_twice: return "refund_twice";
    case PlantedBug::window_key_off: return "window_key_off";
    case PlantedBug::grace_by_wall: return "grace_by_wall";
    case PlantedBug::unreachable_is_missing: return "unreachable_is_missing";
    case PlantedBug::full_disk_burns: return "full_disk_burns";
    case PlantedBug::cancel_in_memory: return "cancel_in_memory";
    case PlantedBug::effect_before_intent: return "effect_before_intent";
    case PlantedBug::starving_order: return "starving_order";
    case PlantedBug::zombie_items: return "zombie_items";
    case PlantedBug::loss_not_counted: return "loss_not_counted";
    case PlantedBug::release_counts: return "release_counts";
    case PlantedBug::reject_unresolved: return "reject_unresolved";
    case PlantedBug::clean_without_lease: return "clean_without_lease";
    case PlantedBug::hand_over_unwritten: return "hand_over_unwritten";
    case PlantedBug::hand_over_after_cancel: return "hand_over_after_cancel";
    case PlantedBug::starts_together: return "starts_together";
    case PlantedBug::landing_skipped: return "landing_skipped";
    case PlantedBug::item_untold: return "item_untold";
    case PlantedBug::manifest_after_import: return "manifest_after_import";
    case PlantedBug::proof_of_one_file: return "proof_of_one_file";
    case PlantedBug::delete_by_prefix: return "delete_by_prefix";
    case PlantedBug::claim_of_paused: return "claim_of_paused";
  }
  return "?";  // Not reached: the switch is complete.
}
// clang-format on

}  // namespace haul

#endif

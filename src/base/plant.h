#pragma once
// Bugs planted on purpose, to show that the simulator finds them. In every build but the one the
// tests make for this, planted() is a constant false and the compiler removes what asks it.

#include <cstdint>
#include <string_view>

namespace haul {

enum class Plant : std::uint8_t {
  none,
  no_fence,                // A move compares neither fence nor worker.
  no_compare,              // A move compares neither state nor seq.
  event_after_commit,      // State and event are two transactions.
  rescue_by_memory,        // Rescue does not look at the beat again.
  completion_by_id,        // A title is proof enough to clean.
  refund_twice,            // A refund is paid out twice.
  window_key_off,          // The idempotency window breaks at the minute.
  grace_by_wall,           // Only the wall clock measures the grace.
  unreachable_is_missing,  // A client that does not answer has lost the torrent.
  full_disk_burns,         // A full disk burns an attempt.
  cancel_in_memory,        // A wish to cancel is not written down.
  effect_before_intent,    // The message goes out before it is written down.
  starving_order,          // The same jobs are looked at first for ever.
  zombie_items,            // Items are moved without asking for the lease.
  loss_not_counted,        // A lost worker counts no attempt.
  release_counts,          // A release burns an attempt.
  reject_unresolved,       // A blocked generation leaves its reservation open.
  clean_without_lease,     // A source is cleaned although the lease was lost.
  hand_over_unwritten,     // A torrent is added without writing that down before.
  hand_over_after_cancel,  // A torrent is added although its cancel was accepted.
  starts_together,         // Requests to one host start without a second between them.
  landing_skipped,         // A file counts as arrived before it is in its place.
  item_untold,             // An item that fails has no ITEM_DONE.
};

#ifdef HAUL_PLANTS
bool planted(Plant plant);
// Plants one bug for this process; Plant::none removes it.
void plant(Plant plant);
std::string_view name(Plant plant);
#else
constexpr bool planted(Plant) { return false; }
#endif

}  // namespace haul

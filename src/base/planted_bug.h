#pragma once
// Bugs planted on purpose, to show that the simulator finds them. Only one build of the tests
// has them. In every other build planted() is constant false and the compiler removes the bugs.

#include <cstdint>
#include <string_view>

namespace haul {

enum class PlantedBug : std::uint8_t {
  none,
  no_fence,                // A move compares neither fence nor worker.
  no_compare,              // A move compares neither state nor seq.
  event_after_commit,      // Two transactions write the state and its event.
  rescue_by_memory,        // Rescue does not read the worker's heartbeat again.
  completion_by_id,        // A listed title is proof enough to clean, whatever its path and size.
  refund_twice,            // A refund is paid twice.
  window_key_off,          // The idempotency window ends when the minute does.
  grace_by_wall,           // Only the wall clock measures the grace.
  unreachable_is_missing,  // A client that does not answer counts as having lost the torrent.
  full_disk_burns,         // A full disk counts as an attempt.
  cancel_in_memory,        // A cancel request is accepted but not stored.
  effect_before_intent,    // The message is sent before its intent is stored.
  starving_order,          // Every cycle looks at the same jobs first.
  zombie_items,            // Items are moved without checking the lease.
  loss_not_counted,        // A lost worker does not count as an attempt.
  release_counts,          // A release counts as an attempt.
  reject_unresolved,       // A blocked image keeps its credits reserved.
  clean_without_lease,     // A source is cleaned although the lease was lost.
  hand_over_unwritten,     // A torrent is added before its intent is stored.
  hand_over_after_cancel,  // A torrent is added after its cancel was accepted.
  starts_together,         // Requests to one host start without a second between them.
  landing_skipped,         // A file counts as complete before it is in its place.
  item_untold,             // A failed item writes no ITEM_DONE event.
  manifest_after_import,   // A film's files are listed after they are imported.
  proof_of_one_file,       // One listed file proves all files of a film.
  delete_by_prefix,        // A clean takes every file whose path begins like the film's.
  claim_of_paused,         // A worker takes up a paused job.
};

#ifdef HAUL_PLANTED_BUGS
bool planted(PlantedBug bug);
// Switches on one bug in this process, and any other off. PlantedBug::none switches all off.
void switch_on(PlantedBug bug);
std::string_view name(PlantedBug bug);
#else
constexpr bool planted(PlantedBug) { return false; }
#endif

}  // namespace haul

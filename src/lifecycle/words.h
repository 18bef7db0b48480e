#pragma once
// The closed vocabulary of a lifecycle table. Every word prints as it is spelled here.

#include <cstdint>
#include <string_view>

namespace haul {

// How a state counts for colours, filters, indexes and metrics.
enum class End : std::uint8_t { open, good, bad, stopped };

// The work a state asks for.
enum class Step : std::uint8_t { none, claim, plan, transfer, land, verify, wait };

// What triggers a move.
// clang-format off
enum class On : std::uint8_t {
  claim, start, started, fetched, stream, landed, ack, verified, unneeded, done,  // forward
  skip, requeue, fail, reject, give_up, lost, release, cancel, expire, retry,     // aside or back
};
// clang-format on

// Whether moves by this trigger answer a fault. Moves of a user or a lost worker may have the same
// target.
constexpr bool answers_faults(On on) {
  return on == On::fail || on == On::requeue || on == On::reject || on == On::give_up;
}

// Who may trigger a move. `system` also acts for a lost worker.
enum class By : std::uint8_t { user, worker, system, timer };

// What must hold before a move. store/rules/guards.cc checks them: some by itself, and for the
// others the asker says that they hold.
enum class Guard : std::uint8_t {
  active_report,         // The engine reports an active transfer.
  file_in_place,         // The whole file is where the engine says, after path mapping.
  owner_or_admin,        // The user who asks owns the job or is an admin.
  engine_confirmed,      // The engine has stopped or removed the transfer.
  import_durable,        // The imported copy is whole and flushed.
  server_told,           // The media server was told where to look.
  cleanup_disabled,      // The settings say to keep sources.
  every_item_processed,  // downloaded + skipped + failed = total, and total is final.
  attempt_left,          // attempt after this move < attempts_max.
  user_active,           // The owner's status is ACTIVE.
  retryable,             // The fault may go away by itself.
  file_exists,           // The item's file exists and its size matches.
  filtered_out,          // An extension, size or date filter excludes the item.
  credit_left,           // The owner has enough credits.
  spent_or_permanent,    // No attempt is left, or trying again cannot help.
  not_replaced,          // No other open job has the key or the slot of this ended one.
};

// The proof an ask must carry.
enum class Proof : std::uint8_t { none, receipt, ack, evidence };

// What the same transaction does besides the move and its event.
enum class Effect : std::uint8_t {
  count_attempt,    // attempt + 1.
  count_retry,      // retries + 1, and attempt starts over (Z-29).
  set_started,      // started_at = now, also on a second try.
  forget_transfer,  // A retry clears handle, missing_since, started_at, result, reason, detail.
  enter_book,       // Adds the book if it is new, and links the job to it.
  record_asset,     // Writes the asset row; a trigger updates the book's shelf.
  record_delivery,  // Keeps the chat server's name for the file, to send it again without upload.
  reserve_credit,
  spend_credit,
  refund_credit,
  free_key,      // The idempotency key may be used again.
  audit_block,   // SAFE_BLOCK in the audit log.
  cancel_items,  // Live items end CANCELLED.
  end_items,     // Live items end CANCELLED; FAILED where a lost worker ended the job.
  return_items,  // Items in transfer go back to PENDING.
  note_added,    // The batch document's own events, in its order.
  note_started,
  note_error,
  note_cancelled,
  note_done,
  clear_parts,  // Records that what the job left must be removed, unless its holder does so itself.
};

// What keeps a loop from running for ever. check() wants one in each loop; docs and page print it.
enum class Bound : std::uint8_t { none, attempt, timer, human, shutdown };

// How long an idempotency key stays taken.
enum class KeyScope : std::uint8_t { none, forever, window, while_open };

std::string_view name(End end);
std::string_view name(Step step);
std::string_view name(On on);
std::string_view name(By by);
std::string_view name(Guard guard);
std::string_view name(Proof proof);
std::string_view name(Effect effect);
std::string_view name(Bound bound);
std::string_view name(KeyScope scope);

}  // namespace haul

#pragma once
// The rules of the five documents as pure functions: they turn what was seen into a verdict.

#include "base/fault.h"
#include "flow/settings.h"
#include "flow/verdict.h"
#include "seam/sight.h"
#include "store/items.h"

namespace haul {

// A job that a download client fetches (book; media until it is fetched).
struct ClientView {
  const Job& job;
  Time now;
  // How long this process has known the missing mark, by the steady clock. If empty, only the wall
  // clock counts.
  std::optional<Millis> marked_for;
  int failed_hand_overs = 0;
};
Verdict judge_client(const ClientView& view, const What& what, const Settings& settings);

// S0-7 to S0-9, Z-1: the client does not have the job. Fails it if the mark is sixty seconds old by
// both clocks.
Verdict judge_missing(const ClientView& view, const Settings& settings);

// Handing a job to its client failed (S0-6).
Verdict judge_hand_over(const ClientView& view, const Fault& fault, const Settings& settings);

// An item's transfer failed (S2-21, S2-22, Z-8, Z-11).
struct ItemVerdict {
  enum class Kind : std::uint8_t { again, fail, release } kind = Kind::fail;
  int attempt = 0;
  int tries = 0;
  Millis wait{0};
};
ItemVerdict judge_item(const Item& item, const Fault& fault, bool moved_forward,
                       const Settings& settings, double chance);

// A relay's transfer or delivery failed (003 §2, §4, A3-4, A3-12).
Verdict judge_relay(const Job& job, const Fault& fault, const Settings& settings, double chance);

// A generation failed or was blocked (004 §2D, §2E, A4-3 to A4-5).
Verdict judge_image(const Job& job, const Fault& fault, const Settings& settings, double chance);

// A failed generation's wait is over (A4-3): try again, or give up.
Verdict judge_image_timer(const Job& job);

// An import or a check of a media job failed (A1-3, S1-19).
Verdict judge_media(const Job& job, const Fault& fault, const Settings& settings, double chance);

// How long a job waits after its worker was lost.
Millis wait_after_loss(const Lifecycle& lifecycle, int attempt, double chance);

}  // namespace haul

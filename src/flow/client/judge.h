#pragma once
// The rules for jobs at a download client as pure functions (documents 000 and 001).

#include <cstdint>
#include <optional>

#include "flow/worker/settings.h"
#include "flow/worker/verdict.h"
#include "seam/sight.h"

namespace haul::flow {

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

// Handing a job to its client failed (S0-6). The row of its state says what happens. If the job
// stays, the table says how often haul tries again, and how long it waits before.
Verdict judge_hand_over(const ClientView& view, const Failed& failed, const Settings& settings);

// What to do with a job whose next look is due.
enum class DueAct : std::uint8_t {
  look,       // Ask the client about it.
  hand_over,  // Give it to the client.
  stop,       // Tell the client to stop it.
  cancel,     // Cancel it without the client, which never got it.
  put_off,    // Nothing until the next look.
};

struct DueView {
  const Job& job;
  bool cancel_asked = false;
  bool was_given = true;     // The client has it, or haul once began to hand it over.
  bool is_ready = true;      // The client is configured (Z-30).
  bool is_restored = false;  // The store is (Z-31).
};
DueAct judge_due(const DueView& view);

}  // namespace haul::flow

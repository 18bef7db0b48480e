#pragma once
// The settings of images alone.

#include <cstdint>

#include "flow/image/prompt_guard.h"
#include "store/jobs.h"

namespace haul::flow {

// What an image does if a call may have been paid and cannot be found again.
enum class UnknownCall : std::uint8_t {
  retry,    // A4-13: pay again, after recording that the first outcome is unknown.
  give_up,  // A dead letter with the reason `outcome_unknown`.
};

struct ImageRules {
  std::int64_t price = 1;  // Credits per image.
  PromptRules prompt;  // Checked when a job is added, before it is claimed and before each call.
  // Which parameters the provider does not take. Checked when a job is added; the engine itself
  // checks them before each call. May be empty.
  RequestCheck params{};
  Quota quota{};
  LaneLimits limits{};  // Images that run at once.
  int retries_max = 3;  // A4-5: attempts. The table's limit holds beside it.
  Millis poll{2'000};   // How often haul asks about a call that the provider works on.
  // How long haul waits for a call that the provider has accepted, from the call on and also over
  // restarts. Then it ends the call.
  Millis wait_max{1'800'000};
  UnknownCall on_unknown = UnknownCall::retry;
  bool refund_rejected = false;  // A4-2: whether an image that the provider blocks is refunded.
};

}  // namespace haul::flow

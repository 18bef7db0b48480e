#pragma once
// The settings of relays alone.

#include <cstdint>
#include <string>

#include "base/time.h"
#include "store/job.h"
#include "store/jobs.h"

namespace haul::flow {

// What a relay does if it cannot know whether its file was sent.
enum class OnUnknown : std::uint8_t {
  resend,   // Send again, after recording that the first outcome is unknown.
  pause,    // Queue it paused. The user's resume sends it again.
  give_up,  // Fail with `delivery_unknown`.
};

struct RelaySettings {
  OnUnknown on_unknown = OnUnknown::resend;  // A3-7, Z-27.
  // S3-22: who sends, such as the bot's number. What one sender has uploaded, another cannot use.
  std::string sender{};
  Millis expires_after{0};  // A3-10: a relay that waits longer expires. 0: never.
  Quota quota{.owner_code = "user_queue_full"};  // S3-20: how many relays may be open.
  LaneLimits limits{};                           // How many run at once, and of one owner.
};

}  // namespace haul::flow

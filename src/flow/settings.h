#pragma once
// The numbers the flow runs by, with the settlement each comes from.

#include "base/time.h"
#include "store/limits.h"

namespace haul {

enum class OnUnknown : std::uint8_t {
  resend,   // Send again, after writing down that the first outcome is unknown.
  give_up,  // Fail with `delivery_unknown`.
};

struct Settings {
  Millis poll{15'000};              // S0-18: how often a client is asked.
  std::size_t poll_max = 100;       // S0-19: how many jobs in one question.
  Millis missing_grace{60'000};     // Z-1.
  int hand_over_tries = 3;          // S0-6.
  Millis environment_wait{30'000};  // Z-8.
  Millis wait_max{600'000};     // No wait of haul's own is longer; a longer one is a clock's doing.
  Millis yield_after{30'000};   // A batch that waits longer than this for its host is not RUNNING.
  Millis verify_every{60'000};  // How often a media server is asked again.
  Millis answer_deadline{900'000};  // S3-24: how long an answer may take.
  Millis beat_every{2'000};
  Millis sweep_every{1'000};
  std::size_t claim_max = 1'000;             // Jobs claimed in one go, per lane.
  std::size_t held_max = 2'000;              // Jobs held at once.
  Millis look_every{0};                      // How often due work is looked for, unless woken.
  Millis gather{0};                          // How long changes of items wait for more of them.
  std::size_t items_at_once = 16;            // Items in transfer, per job.
  std::size_t videos_at_once = 2;            // Each is a process of its own.
  int item_tries_max = 100;                  // Z-11.
  HostRule host;                             // S2-23.
  bool clean_source = true;                  // S1-12.
  OnUnknown on_unknown = OnUnknown::resend;  // A3-7.
};

}  // namespace haul

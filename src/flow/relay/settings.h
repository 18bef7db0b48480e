#pragma once
// The settings of relays alone.

#include <cstdint>

namespace haul::flow {

// What a relay does if it cannot know whether its file was sent.
enum class OnUnknown : std::uint8_t {
  resend,   // Send again, after recording that the first outcome is unknown.
  pause,    // Queue it paused. The user's resume sends it again.
  give_up,  // Fail with `delivery_unknown`.
};

struct RelaySettings {
  OnUnknown on_unknown = OnUnknown::resend;  // A3-7, Z-27.
};

}  // namespace haul::flow

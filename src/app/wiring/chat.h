#pragma once
// The chat that relays deliver to, with an event loop of its own.

#include <memory>
#include <optional>

#include "app/config/relay.h"
#include "base/clock.h"
#include "seam/gate.h"
#include "seam/sink.h"
#include "seam/streams.h"
#include "sink/telegram/settings.h"

namespace haul::app {

// Nullopt if no chat is configured.
std::optional<telegram::ChatSettings> telegram_settings(const std::optional<ChatConfig>& config);

// Without settings, a sink that says what to configure. The other arguments outlive the result.
std::unique_ptr<Sink> make_chat(const Clock& clock, Gate& gate, Streams& streams,
                                const std::optional<telegram::ChatSettings>& settings);

}  // namespace haul::app

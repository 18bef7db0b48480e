#pragma once
// What the administrator sees: requests for access, and the state of the queue. Pure.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bot/screen.h"
#include "bot/texts.h"
#include "store/bot.h"

namespace haul::bot {

// Of /status (S3-18).
struct BotStatus {
  std::int64_t queued = 0;
  std::vector<std::pair<std::string, std::int64_t>> states{};  // Jobs in each state that has any.
  std::int64_t stuck = 0;                    // Held by a worker whose heartbeat is too old (S3-6).
  std::optional<std::int64_t> beat_age_s{};  // Of the worker that beat last. Nothing: no worker.
  std::vector<std::pair<std::string, std::int64_t>> errors{};  // Reasons, most frequent first.
};

BotScreen status_screen(Language language, const BotStatus& status);
BotScreen request_screen(Language language, const BotGuest& guest);
// The request after the administrator has decided.
BotScreen decided_screen(Language language, const BotGuest& guest, bool is_approved);

}  // namespace haul::bot

#pragma once
// What the bot does about an update. Pure: the caller loads the facts and carries the decision out.

#include <optional>
#include <string>
#include <vector>

#include "bot/admin_screens.h"
#include "bot/catalogue_screens.h"
#include "bot/command.h"
#include "bot/standing.h"

namespace haul::bot {

// What the store knows about an update. The caller loads what the command names, and nothing of the
// catalogue for users without access.
struct BotFacts {
  Standing standing = Standing::blocked;
  Language language = Language::russian;
  Language admin_language = Language::russian;  // Of the administrator, whom a guest asks.
  UserId user{};                    // Of haul, that stands for the asker. Zero without access.
  std::optional<BotGuest> guest{};  // The asker's row.
  std::optional<BotEntry> entry{};  // That the command names; the root for the start.
  EntryPage page{};                 // The entry's children, or what the search found.
  std::optional<Job> job{};         // That the command names.
  std::optional<BotGuest> other{};  // The guest that the administrator decides about.
  std::vector<BotGuest> waiting{};  // Guests who have asked for access.
  BotStatus status{};
};

struct DecideSettings {
  std::int64_t admin = 0;                // Telegram's id of the administrator. Zero: none.
  Millis access_for{30LL * 86'400'000};  // How long an approval lasts. Zero: without an end.
};

// A guest's new state. If another change came first, nothing of it happens.
struct GuestChange {
  BotGuest to;
  GuestState seen = GuestState::guest;
  std::vector<OutCall> then{};  // Sent only if the state has changed.
};

struct Decision {
  std::vector<OutCall> calls{};
  std::optional<GuestChange> change{};
  std::optional<std::string> query{};  // The guest's last search from now on.
  std::optional<BotEntry> download{};  // Add a job for this file.
  JobId cancel{};                      // Cancel this job.
  bool refresh = false;                // List the disk again.
  bool is_denied = false;              // An attempt to do what only the administrator may.
};

struct Asked {
  const telegram::BotUpdate& update;
  const BotCommand& command;
};
Decision decide(const Asked& asked, const BotFacts& facts, const DecideSettings& settings,
                Time now);

// The answer to a click that asked for a job or for its cancel. Empty: it was added.
std::string_view added_text(Language language, std::string_view refusal);
std::string_view cancelled_text(Language language, bool is_cancelled);

}  // namespace haul::bot

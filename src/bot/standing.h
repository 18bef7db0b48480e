#pragma once
// Who may do what with the bot, and in which language haul writes to them.

#include <cstdint>
#include <optional>

#include "bot/texts.h"
#include "store/bot.h"
#include "store/users.h"

namespace haul::bot {

enum class Standing : std::uint8_t {
  stranger,  // Has no access and may ask for it.
  pending,   // Has asked.
  active,    // Sees the library and gets files.
  over,      // The access has ended; may ask for it again.
  blocked,   // Gets nothing and may not ask.
  admin,     // Active, and decides about the others.
};

struct StandingFacts {
  bool is_admin = false;  // Telegram's id is the one that the configuration names.
  std::optional<BotGuest> guest{};
  std::optional<User> user{};  // That the guest is linked to.
};

// Only a guest whose user is ACTIVE in haul passes, and only until the guest's time is over.
Standing standing_of(const StandingFacts& facts, Time now);

// The language in which haul writes to a guest first. Russian for one whom it does not know.
Language language_of_guest(BotGuests& guests, std::int64_t id);

constexpr bool has_access(Standing standing) {
  return standing == Standing::active || standing == Standing::admin;
}

}  // namespace haul::bot

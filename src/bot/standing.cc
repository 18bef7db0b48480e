#include "bot/standing.h"

namespace haul::bot {
namespace {

Standing of_active(const BotGuest& guest, const std::optional<User>& user, Time now) {
  if (guest.until && *guest.until <= now) return Standing::over;
  const bool is_active = user && user->id == guest.user && user->status == UserStatus::active;
  return is_active ? Standing::active : Standing::blocked;
}

}  // namespace

Standing standing_of(const StandingFacts& facts, Time now) {
  if (facts.is_admin) return Standing::admin;
  if (!facts.guest) return Standing::stranger;
  switch (facts.guest->state) {
    case GuestState::guest:
      return Standing::stranger;
    case GuestState::pending:
      return Standing::pending;
    case GuestState::active:
      return of_active(*facts.guest, facts.user, now);
    case GuestState::blocked:
      return Standing::blocked;
    case GuestState::expired:
      return Standing::over;
  }
  return Standing::blocked;
}

Language language_of_guest(BotGuests& guests, std::int64_t id) {
  const auto guest = guests.find(id);
  return language_of(guest ? guest->language : "");
}

}  // namespace haul::bot

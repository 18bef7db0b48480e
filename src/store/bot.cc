#include "store/bot.h"

namespace haul {

std::string_view name(GuestState state) {
  switch (state) {
    case GuestState::guest:
      return "guest";
    case GuestState::pending:
      return "pending";
    case GuestState::active:
      return "active";
    case GuestState::blocked:
      return "blocked";
    case GuestState::expired:
      return "expired";
  }
  return "";
}

}  // namespace haul

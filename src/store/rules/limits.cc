#include "store/rules/limits.h"

#include <algorithm>
#include <limits>

#include "base/planted_bug.h"

namespace haul::rules {
namespace {

// How soon to ask again when all slots are taken: haul cannot know when one becomes free.
constexpr Millis kAskAgain{250};

}  // namespace

bool is_blocked(Time blocked_until, Time now) {
  return blocked_until > now && blocked_until <= now + kBlockMax;
}

Time block_after(Time blocked_until, Time until, Time now) {
  const Time latest = now + kBlockMax;
  const Time wanted = std::min(until, latest);
  return blocked_until > latest ? wanted : std::max(blocked_until, wanted);
}

bool is_start_ahead(const HostUse& use, Time now) { return use.started_at > now; }

std::size_t room_in(const LaneUse& lane, std::size_t at_once, Time now) {
  if (at_once == 0) return std::numeric_limits<std::size_t>::max();
  return is_blocked(lane.blocked_until, now) ? 0 : at_once - std::min(at_once, lane.running);
}

std::optional<Time> wait_until(const HostUse& use, const HostRule& rule, Time now) {
  if (is_blocked(use.blocked_until, now)) return use.blocked_until;
  const Millis apart = planted(PlantedBug::starts_together) ? Millis{0} : rule.apart;
  const Time next = std::min(use.started_at, now) + apart;
  if (next > now) return next;
  if (use.held >= std::max<std::size_t>(rule.at_once, 1)) return now + kAskAgain;
  return std::nullopt;
}

}  // namespace haul::rules

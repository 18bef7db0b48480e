#include "store/rules/limits.h"

#include <algorithm>

#include "base/planted_bug.h"

namespace haul::rules {
namespace {

// How soon to ask again when all slots are taken: haul cannot know when one becomes free.
constexpr Millis kAskAgain{250};

}  // namespace

std::optional<Time> wait_until(const HostUse& use, const HostRule& rule, Time now) {
  const bool set_back = use.blocked_until > now + kBlockMax;
  if (use.blocked_until > now && !set_back) return use.blocked_until;
  const Millis apart = planted(PlantedBug::starts_together) ? Millis{0} : rule.apart;
  const Time next = std::min(use.started_at, now) + apart;
  if (next > now) return next;
  if (use.held >= std::max<std::size_t>(rule.at_once, 1)) return now + kAskAgain;
  return std::nullopt;
}

}  // namespace haul::rules

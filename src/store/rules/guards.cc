#include "store/rules/guards.h"

#include <fmt/core.h>

#include "store/rules/fault.h"

namespace haul::rules {
namespace {

Refusal refuse(std::string_view code, std::string why) {
  return {RefusalKind::guarded, std::string{code}, std::move(why)};
}

std::optional<Refusal> check(Guard guard, const Ask& ask, int attempt_after, JobFacts& facts) {
  switch (guard) {
    case Guard::attempt_left:
      if (!is_spent(*ask.version.lifecycle, attempt_after)) return std::nullopt;
      return refuse("attempts_spent", fmt::format("attempt {} of {}", attempt_after,
                                                  ask.version.lifecycle->attempts_max));
    case Guard::user_active:
      if (facts.is_owner_active(ask.version.id)) return std::nullopt;
      return refuse("user_inactive", "the owner is not ACTIVE");
    case Guard::every_item_processed:
      if (!facts.has_items_left(ask.version.id)) return std::nullopt;
      return refuse("items_left", "not every item is processed");
    case Guard::spent_or_permanent:
      if (is_spent(*ask.version.lifecycle, attempt_after)) return std::nullopt;
      break;
    case Guard::not_replaced:
      if (!facts.is_replaced(ask.version.id)) return std::nullopt;
      return refuse("taken", "another open job has its key or slot by now");
    case Guard::active_report:
    case Guard::file_in_place:
    case Guard::owner_or_admin:
    case Guard::engine_confirmed:
    case Guard::import_durable:
    case Guard::server_told:
    case Guard::cleanup_disabled:
    case Guard::retryable:
    case Guard::file_exists:
    case Guard::filtered_out:
    case Guard::credit_left:  // Of an add, which checks it itself.
      break;
  }
  return check_held(guard, ask.holds);
}

}  // namespace

std::optional<Refusal> check_held(Guard guard, const ShortList<Guard, 4>& holds) {
  if (holds.contains(guard)) return std::nullopt;
  return refuse("unchecked", fmt::format("the asker has not checked {}", name(guard)));
}

std::optional<Refusal> check_guards(const Move& move, const Ask& ask, int attempt_after,
                                    JobFacts& facts) {
  for (const Guard guard : move.terms.guards)
    if (auto refusal = check(guard, ask, attempt_after, facts)) return refusal;
  return std::nullopt;
}

}  // namespace haul::rules

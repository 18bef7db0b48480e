#include "store/rules/add.h"

#include <fmt/core.h>

#include "store/rules/guards.h"

namespace haul::rules {
namespace {

std::optional<KeyedJob> find_keyed(const NewJob::Key& key, KeyFacts& facts, Time now) {
  if (key.value.empty()) return std::nullopt;
  if (auto found = facts.find(key.value)) return found;
  if (key.earlier.empty()) return std::nullopt;
  const auto found = facts.find(key.earlier);
  return found && now - found->created_at < key.window ? found : std::nullopt;
}

}  // namespace

std::optional<Refusal> check_add(const NewJob& job, std::int64_t available) {
  for (const Guard guard : job.lifecycle->add.guards) {
    if (guard != Guard::credit_left) {
      if (auto refusal = check_held(guard, job.holds)) return refusal;
      continue;
    }
    if (job.price < 0) return Refusal{RefusalKind::guarded, "bad_price", "a price is not negative"};
    if (available < job.price)
      return Refusal{RefusalKind::guarded, "no_credit",
                     fmt::format("{} credits are needed", job.price)};
  }
  return std::nullopt;
}

std::optional<AddAnswer> find_existing(const NewJob::Key& key, KeyFacts& facts, Time now) {
  const auto found = find_keyed(key, facts, now);
  if (!found) return std::nullopt;
  if (found->has_same_request) return Added{found->id, true};
  return std::unexpected{
      Refusal{RefusalKind::guarded, "key_reused",
              fmt::format("job {} has this key with another request", found->id.value)}};
}

}  // namespace haul::rules

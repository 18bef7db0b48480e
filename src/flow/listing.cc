// Batch: a listing that fails or breaks off. haul keeps and fetches the items found so far, and
// repeats the listing. If no listing completes, the job fails once those items are done.

#include <fmt/core.h>

#include <algorithm>

#include "base/json.h"
#include "flow/verbs.h"
#include "lifecycle/tables.h"

namespace haul {
namespace {

constexpr const char* kPlan = "plan";
constexpr std::size_t kIntentsMax = 100;

std::vector<Intent> failed_listings(Desk& desk, const Held& held) {
  std::vector<Intent> tries = desk.store.intents().of(held.job.seen.id, kIntentsMax);
  std::erase_if(tries, [](const Intent& each) { return each.kind != kPlan; });
  return tries;
}

bool is_enough(const std::vector<Intent>& tries) { return std::ssize(tries) >= kItem.attempts_max; }

// Counts a failed listing as an intent of the job. A listing gets as many tries as an item. False
// if none is left.
bool count_failed(Desk& desk, Held& held, const Fault& fault) {
  if (desk.begin(held, {.kind = kPlan, .repeat = IntentClass::keyed}))
    desk.settle(held, IntentState::failed, fault.code);
  return !is_enough(failed_listings(desk, held));
}

void log_broken(Desk& desk, const Held& held, const Fault& fault, std::string_view then) {
  desk.store.events().note(
      held.job.seen.id, "LOG",
      fmt::format(R"({{"message":{},"level":"warning"}})",
                  json_quoted(fmt::format("the listing broke off ({}): {}", fault.code, then))),
      desk.now());
}

}  // namespace

void see_listing_failed(Desk& desk, Held& held, const Failed& failed) {
  const Fault& fault = failed.fault;
  end_planning(desk, held);
  if (failed.outcome_unknown) {  // It is silent: stop it, so that it does not run beside the next.
    Order order = desk.order(held);
    order.start = held.fetch.plan_start;
    desk.outside.http.stop(order, Parts::keep, desk.inbox);
  }
  if (fault.kind == FaultKind::environment) return release_batch(desk, held, fault);
  const bool again = fault.kind == FaultKind::retryable && count_failed(desk, held, fault);
  const bool has_items = desk.store.items().counts(held.job.seen.id).total > 0;
  if (!has_items && again) return release_batch(desk, held, fault);
  if (!has_items)
    return desk.wish(held.job,
                     {.wishes = {{.on = On::fail, .reason = fault.code, .detail = fault.detail}}});
  if (again) {
    const Millis asked{std::min(Millis{failed.wait_ms}, desk.settings.wait_max)};
    held.fetch.list_again = desk.clock.steady() + std::max(asked, desk.settings.environment_wait);
    return log_broken(desk, held, fault, "it is tried again, what was found is fetched meanwhile");
  }
  held.fetch.gave_up_listing = fault;
  log_broken(desk, held, fault, "what was found is fetched, then the job fails");
}

void list_again(Desk& desk, Held& held) {
  if (!held.fetch.list_again || desk.clock.steady() < *held.fetch.list_again) return;
  held.fetch.list_again.reset();
  held.heard = desk.clock.steady();
  begin_listing(desk, held);
}

bool has_given_up(Desk& desk, Held& held) {
  if (held.job.seen.seq == 1) return false;  // Claimed for the first time.
  const std::vector<Intent> tries = failed_listings(desk, held);
  if (!is_enough(tries) || desk.store.items().counts(held.job.seen.id).total == 0) return false;
  held.fetch.gave_up_listing =
      Fault{FaultKind::retryable, tries.back().outcome, "the listing was tried often enough"};
  return true;
}

}  // namespace haul

// Batch: a listing that fails or breaks off. haul keeps and fetches the items found so far, and
// repeats the listing. If no listing completes, the job fails once those items are done.

#include <fmt/core.h>

#include "base/json.h"
#include "flow/batch/work.h"
#include "flow/worker/answer.h"
#include "lifecycle/tables.h"

namespace haul::flow {
namespace {

std::vector<Intent> failed_listings(Batch& batch, const Held& held) {
  std::vector<Intent> tries = batch.desk.store.intents().of(held.job.version.id);
  std::erase_if(tries, [](const Intent& each) { return each.kind != kPlanIntent; });
  return tries;
}

bool is_enough(const std::vector<Intent>& tries) { return std::ssize(tries) >= kItem.attempts_max; }

// Counts a failed listing as an intent of the job. A listing gets as many tries as an item. False
// if none is left.
bool count_failed(Batch& batch, Held& held, const Fault& fault) {
  if (batch.desk.begin(held, {.kind = kPlanIntent}))
    batch.desk.settle(held, IntentState::failed, fault.code);
  return !is_enough(failed_listings(batch, held));
}

// What the row of the job's state says about the failure.
Verdict judge_listing(Batch& batch, Held& held, const Failed& failed) {
  const Fault& fault = failed.fault;
  if (fault.kind != FaultKind::retryable || !count_failed(batch, held, fault))
    return answer_final(held.job, fault);
  return answer(held.job, fault, batch.desk.settings, batch.desk.random.chance(),
                Millis{failed.wait_ms});
}

void log_broken(Batch& batch, const Held& held, const Fault& fault, std::string_view then) {
  batch.desk.store.events().note(
      held.job.version.id, "LOG",
      fmt::format(R"({{"message":{},"level":"warning"}})",
                  json_quoted(fmt::format("the listing broke off ({}): {}", fault.code, then))),
      batch.desk.now());
}

}  // namespace

void see_listing_failed(Batch& batch, Held& held, const Failed& failed) {
  const Fault& fault = failed.fault;
  Fetch::Listing& listing = fetch_of(held).listing;
  end_listing(batch, held);
  if (failed.outcome_unknown) {  // It is silent: stop it, so that it does not run beside the next.
    Order order = batch.desk.order(held);
    order.start = listing.start;
    batch.engine.stop(order, Leftovers::keep, batch.desk.inbox);
  }
  if (fault.kind == FaultKind::environment) return release_batch(batch, held, fault);
  const Verdict verdict = judge_listing(batch, held, failed);
  const bool has_items = batch.desk.store.items().counts(held.job.version.id).total > 0;
  if (!has_items) return batch.desk.ask(held.job, verdict);
  if (verdict.release_after) {  // The items that were found need the lease meanwhile.
    listing.is = ListingIs::waiting;
    listing.again_at = batch.desk.clock.steady() + *verdict.release_after;
    return log_broken(batch, held, fault, "it is tried again, what was found is fetched meanwhile");
  }
  listing.is = ListingIs::given_up;
  listing.fault = fault;
  log_broken(batch, held, fault, "what was found is fetched, then the job fails");
}

void list_again(Batch& batch, Held& held) {
  const Fetch::Listing& listing = fetch_of(held).listing;
  const Steady now = batch.desk.clock.steady();
  if (listing.is != ListingIs::waiting || now < listing.again_at) return;
  held.heard = now;
  begin_listing(batch, held);
}

bool give_up_listing(Batch& batch, Held& held) {
  if (held.job.version.seq == 1) return false;  // Claimed for the first time.
  const std::vector<Intent> tries = failed_listings(batch, held);
  if (!is_enough(tries) || batch.desk.store.items().counts(held.job.version.id).total == 0)
    return false;
  Fetch::Listing& listing = fetch_of(held).listing;
  listing.is = ListingIs::given_up;
  listing.fault = {FaultKind::retryable, tries.back().outcome,
                   "the listing was tried often enough"};
  return true;
}

}  // namespace haul::flow

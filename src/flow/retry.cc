// Retries ended jobs: by a move where the lifecycle has one, otherwise by a new job.

#include <fmt/core.h>

#include "base/json.h"
#include "flow/lanes.h"
#include "flow/user.h"
#include "store/outcome.h"

namespace haul {
namespace {

std::unexpected<Refusal> refuse(std::string_view code, std::string_view state) {
  return std::unexpected{Refusal{RefusalKind::forbidden, std::string{code}, std::string{state}}};
}

// Adds a job with the old one's request and a link to it. A second call returns the same job: a
// dead letter is paid again only once, and a batch has one open retry at a time.
std::expected<Added, Refusal> again(Store& store, const Job& job, std::int64_t price,
                                    KeyScope scope, Time now) {
  const std::string request = store.reader().request(job.seen.id).value_or("{}");
  const auto fields = read_object(request);
  const NewJob next{.lifecycle = job.seen.lifecycle,
                    .owner = job.owner,
                    .request = request,
                    .lane = fields ? lane_of(*job.seen.lifecycle, *fields) : std::string{},
                    .key = {fmt::format("retry:{}", job.seen.id.value), scope},
                    .price = price,
                    .retry_of = job.seen.id};
  return store.jobs().add({&next, 1}, now).front();
}

// The new job costs what the dead letter had reserved.
std::int64_t price_of(Store& store, const Job& job) {
  std::int64_t after = 0;
  for (auto page = store.ledger().entries(job.owner, after, 1000); !page.empty();
       page = store.ledger().entries(job.owner, after, 1000)) {
    for (const Credit& credit : page)
      if (credit.job == job.seen.id && credit.kind == "reserve") return credit.amount;
    after = page.back().id;
  }
  return 0;
}

}  // namespace

bool can_retry(const Job& job, const Counts& counts) {
  const Lifecycle& lifecycle = *job.seen.lifecycle;
  if (lifecycle.find(job.seen.state, On::retry) || job.seen.state == "dead_letter") return true;
  const auto outcome = outcome_of(job, counts);
  return lifecycle.name == "batch" && outcome && *outcome != Outcome::whole;
}

std::expected<Added, Refusal> retry(Store& store, JobId id, Time now) {
  const auto job = store.reader().find(id);
  if (!job) return refuse("no_such_job", "");
  const Seen& seen = job->seen;
  if (seen.lifecycle->find(seen.state, On::retry)) {
    const Ask ask{.seen = seen, .on = On::retry, .by = By::user};
    const MoveAnswer moved = store.jobs().move({&ask, 1}, now).front();
    if (!moved) return std::unexpected{moved.error()};
    // A user who retries a job that was cancelled while paused wants it now, so this also resumes
    // it.
    if (job->paused) (void)store.jobs().resume(*moved, now);
    return Added{id, false};
  }
  if (seen.state == "dead_letter")
    return again(store, *job, price_of(store, *job), KeyScope::forever, now);
  if (can_retry(*job, store.items().counts(id)))
    return again(store, *job, 0, KeyScope::while_open, now);
  return refuse("cannot_retry", seen.state);
}

}  // namespace haul

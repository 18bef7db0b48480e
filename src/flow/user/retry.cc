// Retries ended jobs: by a move where the lifecycle has one, otherwise by a new job.

#include <fmt/core.h>

#include "base/json.h"
#include "flow/user/user.h"
#include "flow/worker/lanes.h"
#include "store/outcome.h"

namespace haul::flow {
namespace {

std::unexpected<Refusal> refuse(std::string_view code, std::string_view why) {
  return std::unexpected{Refusal{RefusalKind::forbidden, std::string{code}, std::string{why}}};
}

// As long after the new job is added as it was for the old one.
std::optional<Time> expiry_of(const Job& job, Time now) {
  if (!job.expires_at) return std::nullopt;
  return now + (*job.expires_at - job.created_at);
}

// The new job costs today's price or, if there is none, what the old one had reserved.
std::int64_t price_of(Store& store, const Job& job, const LifecycleWork* entry) {
  if (!job.version.lifecycle->add.effects.contains(Effect::reserve_credit)) return 0;
  if (entry && entry->price) return *entry->price;
  return store.ledger().reserved_for(job.version.id);
}

// Adds a job with the old one's request and a link to it. A second call returns the same job: a
// dead letter is paid again only once, and a batch has one open retry at a time. The worker chooses
// the engine anew.
std::expected<Added, Refusal> again(Store& store, const Job& job, Time now,
                                    std::span<const LifecycleWork> work) {
  const std::string request = store.reader().request(job.version.id).value_or("{}");
  const auto fields = read_object(request);
  const Lifecycle& lifecycle = *job.version.lifecycle;
  const std::string lack = not_ready(work, lifecycle, engine_in(lifecycle, request));
  if (!lack.empty()) return refuse("not_configured", lack);
  const LifecycleWork* entry = find_work(work, lifecycle);
  const NewJob next{.lifecycle = &lifecycle,
                    .owner = job.owner,
                    .request = request,
                    .lane = fields ? lane_of(lifecycle, *fields) : std::string{},
                    .expires_at = expiry_of(job, now),
                    .slot = job.slot,
                    .key = {fmt::format("retry:{}", job.version.id.value), lifecycle.again.scope},
                    .price = price_of(store, job, entry),
                    .retry_of = job.version.id,
                    .refused = refusal_of_new(entry, request),
                    .quota = entry ? entry->quota : Quota{},
                    .priority = job.priority};
  return store.jobs().add({&next, 1}, now).front();
}

}  // namespace

bool can_retry(const Job& job, const Counts& counts) {
  const Lifecycle& lifecycle = *job.version.lifecycle;
  if (lifecycle.find(job.version.state, On::retry)) return true;
  const auto outcome = outcome_of(job, counts);
  return lifecycle.again.from.contains(job.version.state) && outcome && *outcome != Outcome::whole;
}

std::expected<Added, Refusal> retry(Store& store, JobId id, Time now,
                                    std::span<const LifecycleWork> work) {
  const auto job = store.reader().find(id);
  if (!job) return refuse("no_such_job", "");
  const JobVersion& version = job->version;
  if (version.lifecycle->find(version.state, On::retry)) {
    const Ask ask{.version = version, .on = On::retry, .by = By::user};
    const MoveAnswer moved = store.jobs().move({&ask, 1}, now).front();
    if (!moved) return std::unexpected{moved.error()};
    // A user who retries a job that was cancelled while paused wants it now, so this also resumes
    // it.
    if (job->paused) (void)store.jobs().resume(*moved, now);
    return Added{id, false};
  }
  if (can_retry(*job, store.items().counts(id))) return again(store, *job, now, work);
  return refuse("cannot_retry", version.state);
}

}  // namespace haul::flow

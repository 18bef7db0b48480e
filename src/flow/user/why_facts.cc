// Reads what explain() needs from the store.

#include <set>

#include "base/host.h"
#include "flow/user/why.h"
#include "flow/worker/lanes.h"

namespace haul::flow {
namespace {

constexpr std::size_t kItemsMax = 200;  // Items to read, of each state.

// Z-30: what the engine lacks that the job's request asks for.
std::string lack_of(Store& store, const Job& job, std::span<const LifecycleWork> work) {
  const Lifecycle& lifecycle = *job.version.lifecycle;
  if (work.empty() || !field_with(lifecycle.request, FieldUse::engine))
    return not_ready(work, lifecycle);
  const std::string request = store.reader().request(job.version.id).value_or("{}");
  return not_ready(work, lifecycle, engine_in(lifecycle, request));
}

HostFacts host_facts(Store& store, const Job& job, const std::string& host) {
  constexpr std::size_t kHoldersMax = 10;
  HostFacts facts{
      .host = host, .use = store.limits().use(host), .running = store.reader().running(host)};
  for (const Job& each : store.reader().running(host, kHoldersMax))
    if (each.version.id != job.version.id) facts.holders.push_back(each.version.id);
  return facts;
}

// Whether the job itself may use all slots of its lane's host. The store shows the start of an item
// a moment after the item has its slot.
bool may_be_own(const WhyFacts& facts, const HostFacts& host) {
  const bool is_blocked = host.use.blocked_until > facts.now;
  return host.host == facts.job.lane && !is_blocked &&
         (facts.live.is_known || host.holders.empty());
}

// The first host that has no free slot for items of a running job. Its worker knows best whether
// they wait for the host of its lane, which the job itself uses.
HostFacts closed_host(Store& store, const WhyFacts& facts, const Settings& settings) {
  const Job& job = facts.job;
  if (!facts.live.waits_for.empty()) return host_facts(store, job, facts.live.waits_for);
  const std::string_view waiting = job.version.lifecycle->items->initial().name;
  std::set<std::string> seen{""};
  if (facts.moves) seen.insert(job.lane);
  for (const Item& item : store.items().list(job.version.id, waiting, 0, kItemsMax)) {
    const std::string host = host_of(item.url);
    if (!seen.insert(host).second) continue;
    const HostUse use = store.limits().use(host);
    if (use.blocked_until <= facts.now && use.held < settings.host.at_once) continue;
    HostFacts closed = host_facts(store, job, host);
    if (!may_be_own(facts, closed)) return closed;
  }
  return {};
}

std::string name_of(const Item& item) {
  const std::string& text = item.path.empty() ? item.url : item.path;
  return text.substr(text.rfind('/') + 1);
}

// Items that failed keep their state; their due time and reason say that they wait.
void read_items(Store& store, WhyFacts& facts) {
  const Job& job = facts.job;
  for (const State& state : job.version.lifecycle->items->states) {
    if (!state.is_open()) continue;
    for (const Item& item : store.items().list(job.version.id, state.name, 0, kItemsMax)) {
      const bool waits = item.due_at > facts.now && !item.reason.empty();
      facts.moves = facts.moves || (state.step == Step::transfer && !waits);
      if (!waits) continue;
      ++facts.retry.items;
      if (facts.retry.at && *facts.retry.at <= item.due_at) continue;
      facts.retry.at = item.due_at;
      facts.retry.reason = item.reason;
      facts.retry.name = name_of(item);
    }
  }
}

void read_hosts(Store& store, const Settings& settings, WhyFacts& facts) {
  const Job& job = facts.job;
  if (job.worker && job.version.lifecycle->items) {
    read_items(store, facts);
    facts.gate = closed_host(store, facts, settings);
  } else if (!job.worker && job.lane != job.version.lifecycle->name) {
    facts.lane = host_facts(store, job, job.lane);
  }
}

// Of a job that waits to be claimed with the others of its lifecycle.
LimitFacts limit_facts(Store& store, const Job& job, const LifecycleWork& work) {
  constexpr std::size_t kRunningMax = 1'000;
  LimitFacts facts{.most = work.limits, .names = work.limit_names};
  if (facts.most.at_once == 0 && facts.most.per_owner == 0) return facts;
  for (const Job& each : store.reader().running(job.lane, kRunningMax)) {
    facts.running.push_back(each.version.id);
    if (each.owner == job.owner) facts.running_of_owner.push_back(each.version.id);
  }
  return facts;
}

}  // namespace

std::optional<Why> explain(Store& store, JobId id, Time now, const Settings& settings,
                           std::span<const LifecycleWork> work, const LiveFacts& live) {
  const auto job = store.reader().find(id);
  if (!job) return std::nullopt;
  WhyFacts facts{.job = *job,
                 .now = now,
                 .intents = store.intents().first_and_open({&id, 1}).front(),
                 .counts = store.items().counts(id),
                 .is_restored = store.identity().is_restored()};
  facts.live = live;
  if (job->state().is_open()) {
    facts.not_ready = lack_of(store, *job, work);
    const LifecycleWork* its = find_work(work, *job->version.lifecycle);
    if (its) facts.hold = its->hold->find();
    if (its && !job->worker && !has_host_lanes(*job->version.lifecycle))
      facts.limits = limit_facts(store, *job, *its);
  }
  if (job->paused)  // The intent of a user's pause has no data.
    if (const auto pause = store.intents().newest(id, kPauseIntent)) facts.own_pause = pause->data;
  if (job->worker) facts.worker = store.workers().find(job->worker);
  if (job->state().is_open() && has_host_lanes(*job->version.lifecycle))
    read_hosts(store, settings, facts);
  return explain(facts, settings);
}

}  // namespace haul::flow

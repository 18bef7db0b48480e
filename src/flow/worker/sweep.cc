#include "flow/worker/sweep.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "base/planted_bug.h"
#include "flow/worker/answer.h"
#include "flow/worker/due.h"
#include "flow/worker/lived.h"
#include "flow/worker/stop.h"
#include "lifecycle/tables.h"

namespace haul::flow {
namespace {

constexpr std::size_t kAtOnce = 1'000;
constexpr int kRoundsMax = 1'000;
constexpr Millis kClockSlack{1'000};
constexpr Millis kTidyEvery{10'000};
constexpr Millis kKeepTimeEvery{10'000};
constexpr Millis kRecallEvery{3'600'000};
constexpr const char* kRetention = "retention";  // The duty.

// Releases the jobs of a worker that ended during an outage. It could not release them itself, so
// this counts no attempt.
void give_back(Store& store, WorkerId worker, Time now) {
  JobId last;
  for (int round = 0; round < kRoundsMax; ++round) {
    const std::vector<Job> leased = store.reader().leased(worker, last, kListMax);
    std::vector<Release> releases;
    releases.reserve(leased.size());
    for (const Job& job : leased)
      releases.push_back({.version = job.version, .worker = worker, .reason = "store_outage"});
    if (!releases.empty()) store.jobs().release(releases, now);
    if (leased.size() < kListMax) return;
    last = leased.back().version.id;
  }
}

// All jobs that a worker holds.
std::vector<Job> leased_to(Store& store, WorkerId worker) {
  std::vector<Job> all = store.reader().leased(worker, {}, kListMax);
  for (std::size_t page = all.size(); page == kListMax;) {
    std::vector<Job> more = store.reader().leased(worker, all.back().version.id, kListMax);
    page = more.size();
    std::ranges::move(more, std::back_inserter(all));
  }
  return all;
}

// Takes all jobs of a lifecycle from a worker that is gone.
void rescue_all(Store& store, const WorkerRow& worker, const Lifecycle& lifecycle,
                const Chance& chance, Time now) {
  for (int round = 0; round < kRoundsMax; ++round) {
    const Rescued done =
        store.jobs().rescue({worker.id, worker.beat, &lifecycle, kAtOnce}, chance, now);
    if (done.moved + done.adopted + done.failed < kAtOnce) return;
  }
}

}  // namespace

void rescue_everyone(Store& store, const Chance& chance, Time now) {
  const bool could_write = !store.in_outage();
  for (const WorkerRow& worker : store.workers().holders(kAtOnce)) {
    if (!could_write) give_back(store, worker.id, now);
    for (const Lifecycle* lifecycle : all_lifecycles())
      rescue_all(store, worker, *lifecycle, chance, now);
    store.limits().give_all(worker.id);
    store.duties().give_all(worker.id);
  }
  if (!could_write) store.end_outage();
}

Sweep::Sweep(Desk& desk) : desk_{desk}, retention_{desk.store, desk.clock} {}

void Sweep::begin_stretch(Millis lived) {
  const Steady steady = desk_.clock.steady();
  stretch_ = desk_.store.uptime().begin(desk_.clock.now(), lived);
  stretch_from_ = kept_ = steady;
}

Millis Sweep::lived_now() const {
  if (!stretch_) return Millis{0};
  return stretch_->lived_before + (desk_.clock.steady() - stretch_from_);
}

void Sweep::keep_time() {
  if (!stretch_) return begin_stretch(Millis{0});
  const Time now = desk_.clock.now();
  const Steady steady = desk_.clock.steady();
  const Millis ahead = (now - stretch_->from) - (steady - stretch_from_);
  if (ahead > kClockSlack || ahead < -kClockSlack) {
    desk_.store.uptime().extend(stretch_->id, stretch_->to);
    return begin_stretch(lived_now());
  }
  stretch_->to = std::max(stretch_->to, now);
  if (steady - kept_ < kKeepTimeEvery) return;
  kept_ = steady;
  desk_.store.uptime().extend(stretch_->id, stretch_->to);
}

std::vector<Stretch> Sweep::stretches() const {
  std::vector<Stretch> all = desk_.store.uptime().list();
  if (stretch_) all.push_back(*stretch_);
  return all;
}

void Sweep::run() {
  const Steady now = desk_.clock.steady();
  keep_time();
  recall();
  if (is_due(beaten_, desk_.settings.beat_every, now)) {
    const bool is_late = beaten_ && now - *beaten_ > 2 * desk_.settings.beat_every;
    beaten_ = now;
    beat();
    desk_.duties.take_wanted(desk_.worker);
    // Other workers may have taken jobs of a worker that was silent.
    if (is_late) drop_lost(leased_to(desk_.store, desk_.worker));
  }
  const auto before = [this](Millis age) { return older_than(stretches(), lived_now(), age); };
  if (desk_.has_duty(kRetention))
    retention_.run(before, [this] { return desk_.still_has_duty(kRetention); });
  if (!is_due(swept_, desk_.settings.sweep_every, now)) return;
  swept_ = now;
  rescue();
  expire();
  timers();
  see_wishes(desk_);
  see_clears(desk_, before);
  if (is_due(tidied_, kTidyEvery, now)) {
    tidied_ = now;
    tidy_desk();
  }
  if (!is_due(recalled_, kRecallEvery, now)) return;
  recalled_ = now;
  // Also catches jobs that another process postponed while its clock was wrong.
  desk_.store.jobs().recall(desk_.now() + desk_.settings.wait_max, desk_.now());
}

void Sweep::beat() { desk_.store.workers().beat(desk_.worker, desk_.now()); }

// A worker is silent when its beat has not changed for the whole of a lease, by our steady clock.
// The store compares the beat again, so a worker that beats meanwhile keeps its jobs.
void Sweep::rescue() {
  const Steady now = desk_.clock.steady();
  const Chance chance = [this] { return desk_.random.chance(); };
  const std::vector<WorkerRow> holders = desk_.store.workers().holders(kAtOnce);
  forget_others(holders);
  for (const WorkerRow& worker : holders) {
    if (worker.id == desk_.worker) continue;
    Heard& heard = heard_.try_emplace(worker.id, Heard{worker.beat, now}).first->second;
    if (heard.beat != worker.beat && !planted(PlantedBug::rescue_by_memory))
      heard = {worker.beat, now};
    Millis longest{0};
    for (const Lifecycle* lifecycle : all_lifecycles()) {
      const Millis lease = lease_of(desk_.settings, *lifecycle);
      longest = std::max(longest, lease);
      if (now - heard.since < lease) continue;
      desk_.store.jobs().rescue({worker.id, worker.beat, lifecycle, kAtOnce}, chance, desk_.now());
    }
    if (now - heard.since >= kDutyLease)
      desk_.duties.see_silent({worker.id, worker.beat});
    else
      desk_.duties.hear(worker.id);
    if (now - heard.since >= longest) desk_.store.limits().give_all(worker.id);
  }
}

void Sweep::forget_others(std::span<const WorkerRow> holders) {
  std::erase_if(heard_, [&](const auto& known) {
    const bool holds = std::ranges::find(holders, known.first, &WorkerRow::id) != holders.end();
    if (!holds) desk_.duties.hear(known.first);
    return !holds;
  });
}

void Sweep::expire() {
  const std::vector<Job> due = desk_.store.reader().expired(desk_.now(), kAtOnce);
  const std::vector<Stretch> times = due.empty() ? std::vector<Stretch>{} : stretches();
  for (const Job& job : due) {
    if (!job.expires_at || !job.version.lifecycle->find(job.version.state, On::expire)) continue;
    const Millis age = lived_now() - lived_at(times, job.created_at);
    if (age < *job.expires_at - job.created_at) continue;
    desk_.ask(job, {.moves = {{.on = On::expire, .reason = "expired", .by = By::timer}}}, {},
              [](const Refusal&) {});  // Another move came first: nothing to do.
  }
}

void Sweep::timers() {
  for (const Lifecycle* lifecycle : all_lifecycles())
    for (const State& state : lifecycle->states)
      if (state.step == Step::wait && !state.is_leased()) end_waits(*lifecycle, state);
}

void Sweep::end_waits(const Lifecycle& lifecycle, const State& state) {
  const std::string_view waits[] = {state.name};
  for (const Job& job :
       desk_.store.reader().due(std::string{lifecycle.name}, desk_.now(), kAtOnce, waits))
    desk_.ask(job, answer_wait(job), {}, [](const Refusal&) {});
}

void Sweep::tidy_desk() {
  std::vector<Release> releases;
  std::map<JobId, std::int64_t> strays;
  const std::vector<Job> leased = leased_to(desk_.store, desk_.worker);
  for (const Job& job : leased) {
    const JobVersion& version = job.version;
    if (desk_.held.contains(version.id)) continue;
    const auto before = strays_.find(version.id);
    if (before != strays_.end() && before->second == version.fence)
      releases.push_back({.version = version, .worker = desk_.worker, .reason = "dropped"});
    else
      strays.emplace(version.id, version.fence);
  }
  strays_ = std::move(strays);
  for (std::span<const Release> left = releases; !left.empty();) {
    const std::span<const Release> some = left.first(std::min(left.size(), kAtOnce));
    desk_.store.jobs().release(some, desk_.now());
    left = left.subspan(some.size());
  }
  drop_lost(leased);
}

void Sweep::drop_lost(std::span<const Job> leased) {
  std::set<JobId> ours;
  for (const Job& job : leased) ours.insert(job.version.id);
  std::vector<JobId> lost;
  for (const auto& [id, held] : desk_.held)
    if (!ours.contains(id)) lost.push_back(id);
  for (const JobId id : lost) desk_.drop(id);
}

void Sweep::recall() {
  const Millis ahead =
      desk_.clock.now().time_since_epoch() - desk_.clock.steady().time_since_epoch();
  const bool set_back = !ahead_ || ahead < *ahead_ - kClockSlack;  // True at the start: not known.
  ahead_ = ahead;
  if (set_back) desk_.store.jobs().recall(desk_.now() + desk_.settings.wait_max, desk_.now());
}

}  // namespace haul::flow

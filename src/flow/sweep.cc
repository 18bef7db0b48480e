#include "flow/sweep.h"

#include <algorithm>
#include <set>

#include "base/plant.h"
#include "flow/judge.h"
#include "flow/lived.h"
#include "flow/verbs.h"
#include "lifecycle/tables.h"

namespace haul {
namespace {

constexpr std::size_t kAtOnce = 1'000;
constexpr int kRoundsMax = 1'000;
constexpr Millis kClockSlack{1'000};
constexpr Millis kTidyEvery{10'000};
constexpr Millis kKeepTimeEvery{10'000};
constexpr Millis kRecallEvery{3'600'000};

bool is_due(const std::optional<Steady>& last, Millis every, Steady now) {
  return !last || now - *last >= every;
}

// Releases the jobs of a worker that ended in an outage, when it could neither beat nor release
// them. Counts no attempt.
void give_back(Store& store, WorkerId worker, Time now) {
  for (int round = 0; round < kRoundsMax; ++round) {
    const std::vector<Job> leased = store.reader().leased(worker, kListMax);
    std::vector<Release> releases;
    releases.reserve(leased.size());
    for (const Job& job : leased)
      releases.push_back({.seen = job.seen, .worker = worker, .reason = "store_outage"});
    if (!releases.empty()) store.jobs().release(releases, now);
    if (leased.size() < kListMax) return;
  }
}

}  // namespace

void rescue_everyone(Store& store, Time now) {
  const auto at_once = [](const Lifecycle&, int) { return Millis{0}; };
  const bool could_write = !store.in_outage();
  for (const WorkerRow& worker : store.workers().holders(kAtOnce)) {
    if (!could_write) give_back(store, worker.id, now);
    for (const Lifecycle* lifecycle : all_lifecycles())
      store.jobs().rescue({worker.id, worker.beat, lifecycle, kAtOnce}, at_once, now);
    store.limits().give_all(worker.id);
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
    beaten_ = now;
    beat();
  }
  retention_.run([this](Millis age) { return older_than(stretches(), lived_now(), age); });
  if (!is_due(swept_, desk_.settings.sweep_every, now)) return;
  swept_ = now;
  rescue();
  expire();
  timers();
  see_wishes(desk_);
  see_clears(desk_);
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
  const auto waits = [this](const Lifecycle& lifecycle, int attempt) {
    return wait_after_loss(lifecycle, attempt, desk_.random.chance());
  };
  for (const WorkerRow& worker : desk_.store.workers().holders(kAtOnce)) {
    if (worker.id == desk_.worker) continue;
    Heard& heard = heard_.try_emplace(worker.id, Heard{worker.beat, now}).first->second;
    if (heard.beat != worker.beat && !planted(Plant::rescue_by_memory)) heard = {worker.beat, now};
    Millis longest{0};
    for (const Lifecycle* lifecycle : all_lifecycles()) {
      longest = std::max<Millis>(longest, lifecycle->lease_after);
      if (now - heard.since < lifecycle->lease_after) continue;
      desk_.store.jobs().rescue({worker.id, worker.beat, lifecycle, kAtOnce}, waits, desk_.now());
    }
    if (now - heard.since >= longest) desk_.store.limits().give_all(worker.id);
  }
}

void Sweep::expire() {
  const std::vector<Job> due = desk_.store.reader().expired(desk_.now(), kAtOnce);
  const std::vector<Stretch> times = due.empty() ? std::vector<Stretch>{} : stretches();
  for (const Job& job : due) {
    if (!job.expires_at || !job.seen.lifecycle->find(job.seen.state, On::expire)) continue;
    const Millis age = lived_now() - lived_at(times, job.created_at);
    if (age < *job.expires_at - job.created_at) continue;
    desk_.wish(job, {.wishes = {{.on = On::expire, .reason = "expired", .by = By::timer}}}, {},
               [](const Refusal&) {});  // Another move came first: nothing to do.
  }
}

void Sweep::timers() {
  constexpr std::string_view kWaits[] = {"failed"};
  for (const Job& job : desk_.store.reader().due("image", desk_.now(), kAtOnce, kWaits)) {
    desk_.wish(job, judge_image_timer(job), {}, [](const Refusal&) {});
  }
}

void Sweep::tidy_desk() {
  std::set<JobId> ours;
  std::vector<Release> strays;
  const std::vector<Job> leased = desk_.store.reader().leased(desk_.worker, kListMax);
  for (const Job& job : leased) {
    ours.insert(job.seen.id);
    if (!desk_.held.contains(job.seen.id))
      strays.push_back({.seen = job.seen, .worker = desk_.worker, .reason = "dropped"});
  }
  if (!strays.empty()) desk_.store.jobs().release(strays, desk_.now());
  if (leased.size() == kListMax) return;  // There may be more.
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

}  // namespace haul

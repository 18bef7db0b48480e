#include "flow/worker.h"

#include <algorithm>
#include <utility>

#include "base/redact.h"
#include "flow/restored.h"
#include "flow/verbs.h"
#include "lifecycle/tables.h"

namespace haul {

Worker::Worker(Store& store, const Outside& outside, const Clock& clock, Random& random,
               const Settings& settings, const std::string& name)
    : name_{name},
      desk_{store, outside, clock, random, settings, WorkerId{}, mail_},
      sweep_{desk_} {
  try_to([this] { enlist(); });
}

void Worker::enlist() {
  desk_.worker = desk_.store.workers().enlist(name_, desk_.now());
  desk_.places.set_worker(desk_.worker);
}

// Only the first sight in an empty inbox wakes the worker. It notifies after the unlock, so that
// the worker gets the lock at once.
void Worker::Mail::push(Sight sight) {
  bool is_first = false;
  {
    const Lock lock{mutex_};
    is_first = sights_.empty();
    sights_.push_back(std::move(sight));
  }
  if (is_first) came_.notify_one();
}

bool Worker::Mail::wait(Millis at_most, std::chrono::microseconds breath) {
  const Lock lock{mutex_};
  came_.wait_for(mutex_, at_most, [this]() REQUIRES(mutex_) {
    return rung_ || !sights_.empty() || !claimed_.empty();
  });
  if (breath.count() > 0)
    came_.wait_for(mutex_, breath, [this]() REQUIRES(mutex_) { return rung_; });
  return std::exchange(rung_, false);
}

void Worker::Mail::ring() {
  const Lock lock{mutex_};
  rung_ = true;
  came_.notify_all();
}

std::deque<Sight> Worker::Mail::take() {
  const Lock lock{mutex_};
  return std::exchange(sights_, {});
}

std::optional<ClaimAsk> Worker::Mail::lend(const Lifecycle& lifecycle, std::size_t wanted) {
  if (&lifecycle == &kBook) return std::nullopt;  // Books are watched, never claimed.
  const Lock lock{mutex_};
  if (free_.is_restored && !begins_when_restored(lifecycle)) return std::nullopt;
  Capacity left = free_.capacity;
  left.free -= std::min(left.free, lent_ + claimed_.size());
  if (!left.is_ample()) return std::nullopt;  // Lanes that wait for their turn come first.
  const LaneRoom room = room_in_lane(lifecycle, left, 0);
  const std::size_t most = has_host_lanes(lifecycle) ? left.free : room.limit;
  ClaimAsk lent{.lifecycle = &lifecycle,
                .lane = {},
                .worker = worker_,
                .limit = std::min(wanted, most),
                .at_once = room.at_once};
  lent_ += lent.limit;
  return lent;
}

void Worker::Mail::give_back(const ClaimAsk& lent, std::vector<Claim> taken) {
  const Lock lock{mutex_};
  lent_ -= lent.limit;
  claimed_.insert(claimed_.end(), taken.begin(), taken.end());
  came_.notify_all();
}

std::vector<Claim> Worker::Mail::claimed() {
  const Lock lock{mutex_};
  return std::exchange(claimed_, {});
}

void Worker::Mail::set_free(WorkerId worker, const Free& free) {
  const Lock lock{mutex_};
  worker_ = worker;
  free_ = free;
}

void Worker::Mail::withdraw() {
  const Lock lock{mutex_};
  free_ = {};
  came_.wait(mutex_, [this]() REQUIRES(mutex_) { return lent_ == 0; });
}

namespace {

constexpr std::size_t kHandleMax = 4'096;

// Small files end in quick succession, and waking up for each costs more than it gains. With 5,000
// small files it cost a tenth of all CPU, and some of the time too.
constexpr std::chrono::microseconds kBreath{400};

// Makes text from outside safe to store, where it enters.
void make_safe(What& what) {
  if (auto* failed = std::get_if<Failed>(&what)) {
    failed->fault.code = safe_reason(failed->fault.code);
    failed->fault.detail = safe_detail(failed->fault.detail);
  } else if (auto* unseen = std::get_if<Unseen>(&what)) {
    unseen->code = safe_reason(unseen->code);
  } else if (auto* waiting = std::get_if<Waiting>(&what)) {
    waiting->detail = safe_detail(waiting->detail);
    if (!waiting->code.empty()) waiting->code = safe_reason(waiting->code);
  } else if (auto* finished = std::get_if<Finished>(&what); finished && !finished->in_place) {
    finished->why_not = finished->why_not.empty() ? "" : safe_reason(finished->why_not);
  } else if (auto* accepted = std::get_if<Accepted>(&what)) {
    accepted->handle = accepted->handle.substr(0, kHandleMax);
  }
}

// Whether the job itself waits for an answer, not one of its items.
bool waits_itself(const Held& held) {
  return held.job.seen.lifecycle->name != "batch" || held.fetch.planning;
}

// Overdue answers, last heard of at `since` or before, as failures with an unknown outcome.
std::vector<Sight> silences(const Held& held, Steady since) {
  const Failed silent{.fault = {FaultKind::retryable, "no_answer", "nothing came back"},
                      .outcome_unknown = true};
  const Seen& seen = held.job.seen;
  std::vector<Sight> found;
  for (const auto& [n, transfer] : held.fetch.at_work)
    if (transfer.heard <= since) found.push_back({seen.id, n, seen.fence, transfer.start, silent});
  if (waits_itself(held) && held.heard <= since)
    found.push_back({seen.id, 0, seen.fence, 0, silent});
  return found;
}

// The oldest time at which an awaited answer was last heard of; `now` if none is awaited.
Steady last_heard(const Held& held, Steady now) {
  Steady oldest = waits_itself(held) ? held.heard : now;
  for (const auto& [n, transfer] : held.fetch.at_work) oldest = std::min(oldest, transfer.heard);
  return oldest;
}

}  // namespace

void Worker::wait(Millis at_most) {
  const bool gathers = std::ranges::any_of(desk_.held, [](const auto& each) {
    return !each.second.fetch.asks.empty() || !each.second.fetch.seen.empty();
  });
  const bool moves = std::ranges::any_of(
      desk_.held, [](const auto& each) { return each.second.fetch.at_work.moving() > 0; });
  const Millis longest = gathers ? std::min(at_most, desk_.settings.gather) : at_most;
  if (mail_.wait(longest, moves ? kBreath : std::chrono::microseconds{0})) looked_.reset();
}

void Worker::tick() {
  if (outage_ && !probe()) return hold_mail();
  try_to([this] { work(); });
}

bool Worker::try_to(const std::function<void()>& step) {
  if (outage_) return false;
  try {
    step();
    return true;
  } catch (const StoreFault& fault) {
    if (!is_passing(fault.kind())) throw;
    outage_ = outage_of(fault, desk_.clock);
  }
  desk_.store.begin_outage();
  mail_.set_free(desk_.worker, {});
  hold_mail();
  return false;
}

bool Worker::probe() {
  if (!outage_ || desk_.clock.steady() - outage_->probed < kProbeEvery) return false;
  outage_->probed = desk_.clock.steady();
  try {
    if (desk_.worker)
      desk_.store.workers().beat(desk_.worker, desk_.now());
    else
      enlist();
  } catch (const StoreFault& fault) {
    if (!is_passing(fault.kind())) throw;
    return false;
  }
  end_outage();
  return true;
}

// During the outage this worker handled no sights and the others could not beat. That silence does
// not count.
void Worker::end_outage() {
  outage_.reset();
  const Steady now = desk_.clock.steady();
  for (auto& [id, held] : desk_.held) {
    held.heard = now;
    for (auto& [n, transfer] : held.fetch.at_work) transfer.heard = now;
  }
  sweep_.forget_silence();
  if (!takes_over_) desk_.store.end_outage();
}

void Worker::hold_mail() {
  for (Sight& sight : mail_.take()) {
    make_safe(sight.what);
    put_behind(unread_, std::move(sight));
  }
  for (const Claim& claimed : mail_.claimed()) taken_.push_back(claimed);
}

void Worker::release_doubtful() {
  while (!desk_.doubtful.empty()) {
    const JobId id = *desk_.doubtful.begin();
    if (const auto found = desk_.held.find(id); found != desk_.held.end())
      write_items(desk_, found->second);
    if (const auto found = desk_.held.find(id); found != desk_.held.end())
      desk_.release(found->second.job, "store_outage", Millis{0});
    desk_.doubtful.erase(id);
  }
}

void Worker::work() {
  if (takes_over_) rescue_everyone(desk_.store, desk_.now());
  takes_over_ = false;
  read_mail();
  end_silence();
  desk_.flush();
  release_doubtful();
  sweep_.run();
  read_mail();
  desk_.flush();
  for (const Claim& claimed : mail_.claimed()) taken_.push_back(claimed);
  take_claimed(desk_, std::exchange(taken_, {}));
  refill(desk_);
  look_for_work();
  transfer_items(desk_);
  desk_.flush();
  desk_.places.give_back_spare();
  mail_.set_free(desk_.worker,
                 {.capacity = capacity_of(desk_), .is_restored = desk_.is_restored()});
}

void Worker::look_for_work() {
  const Steady now = desk_.clock.steady();
  if (looked_ && now - *looked_ < desk_.settings.look_every) return;
  if (!looked_) see_wishes(desk_);  // The caller of wake() may have asked for a cancel or a pause.
  looked_ = now;
  claim(desk_);
  watch_client(desk_, kBook);
  watch_client(desk_, kMedia);
}

void Worker::read_mail() {
  for (Sight& sight : mail_.take()) {
    make_safe(sight.what);
    unread_.push_back(std::move(sight));
  }
  for (; !unread_.empty(); unread_.pop_front()) see(unread_.front());
}

void Worker::see(Sight& sight) {
  if (desk_.is_asking(sight.job)) desk_.flush();  // Judge the job after its queued moves.
  const auto found = desk_.held.find(sight.job);
  if (found != desk_.held.end() && sight.fence == found->second.job.seen.fence)
    return see_held(found->second, sight);
  const auto job = desk_.store.reader().find(sight.job);
  const bool cleared = sight.item == 0 && sight.start == 0 &&
                       std::holds_alternative<Stopped>(sight.what) && job &&
                       !job->state().is_open();
  if (cleared) return see_cleared(desk_, sight.job);
  const bool with_client = job && job->state().is_open() && !job->state().is_leased() &&
                           job->state().step == Step::transfer;
  const bool of_this_life = job && sight.fence == job->seen.fence;  // False for an earlier fence.
  if (with_client && of_this_life) see_client(desk_, *job, sight.what);
}

void Worker::see_held(Held& held, Sight& sight) {
  held.heard = desk_.clock.steady();
  const std::string_view lifecycle = held.job.seen.lifecycle->name;
  if (lifecycle == "batch") return see_batch(held, sight);
  if (lifecycle == "relay") return see_relay(desk_, held, sight.what);
  if (lifecycle == "image") return see_image(desk_, held, sight.what);
  see_media(desk_, held, sight.what);
}

// A sight of a batch can need several writes. When the store fails, some are done already.
void Worker::see_batch(Held& held, Sight& sight) {
  const JobId id = held.job.seen.id;
  try {
    see_item(desk_, held, sight);
  } catch (const StoreFault&) {
    desk_.doubtful.insert(id);
    throw;
  }
}

// No answer can become overdue before the oldest one does, so most ticks skip the check.
void Worker::end_silence() {
  const Steady now = desk_.clock.steady();
  if (now < silent_from_) return;
  silent_from_ = now + desk_.settings.answer_deadline;
  for (const auto& [id, held] : desk_.held)
    silent_from_ = std::min(silent_from_, last_heard(held, now) + desk_.settings.answer_deadline);
  for (auto it = desk_.held.begin(); it != desk_.held.end();) {
    const Held& held = (it++)->second;
    for (Sight& silence : silences(held, now - desk_.settings.answer_deadline))
      unread_.push_back(std::move(silence));
  }
  read_mail();
}

std::vector<HeldJob> Worker::holding() const {
  std::vector<HeldJob> jobs;
  jobs.reserve(desk_.held.size());
  for (const auto& [id, held] : desk_.held) jobs.push_back({id, held.job.owner});
  return jobs;
}

std::vector<TransferView> Worker::transfers(JobId job) const {
  std::vector<TransferView> views;
  const auto found = desk_.held.find(job);
  if (found == desk_.held.end()) return views;
  const Fetch& fetch = found->second.fetch;
  views.reserve(fetch.at_work.size() + fetch.waiting.size());
  for (const auto& [n, transfer] : fetch.at_work)
    views.push_back({.item = n,
                     .key = transfer.item.key,
                     .url = transfer.item.url,
                     .path = transfer.item.path,
                     .have = transfer.have,
                     .size = transfer.item.size ? transfer.item.size : transfer.about,
                     .phase = transfer.phase,
                     .status = transfer.status,
                     .retry_in = {},
                     .reason = transfer.item.reason});
  for (const auto& [until, item] : fetch.waiting)
    views.push_back({.item = item.n,
                     .key = item.key,
                     .url = item.url,
                     .path = item.path,
                     .have = item.have,
                     .size = item.size,
                     .status = {},
                     .retry_in = std::max(Millis{0}, until - desk_.clock.steady()),
                     .reason = item.reason});
  return views;
}

void Worker::see_cancels() {
  try_to([this] {
    haul::see_cancels(desk_);
    desk_.flush();
  });
}

bool Worker::wind_down() {
  mail_.withdraw();
  try_to([this] { read_mail(); });
  bool idle = true;
  for (auto it = desk_.held.begin(); it != desk_.held.end();) {
    Held& held = (it++)->second;  // Advances first: the job may be dropped.
    if (!winding_down_) desk_.stop_transfers(held, Parts::keep);
    idle = idle && held.fetch.at_work.empty();
    try_to([&] { write_items(desk_, held); });
  }
  winding_down_ = true;
  return idle || outage_;  // In an outage the checkpoints cannot be written.
}

void Worker::stop() {
  mail_.withdraw();
  if (outage_) {
    outage_->probed -= kProbeEvery;
    (void)probe();
  }
  try_to([this] { give_back_leases(); });
  while (!desk_.held.empty()) desk_.drop(desk_.held.begin()->first);
  try_to([this] { desk_.places.give_all(); });
}

void Worker::give_back_leases() {
  read_mail();
  for (auto it = desk_.held.begin(); it != desk_.held.end();) write_items(desk_, (it++)->second);
  desk_.flush();
  std::vector<Release> releases;
  releases.reserve(desk_.held.size());
  for (const auto& [id, held] : desk_.held)
    releases.push_back({.seen = held.job.seen, .worker = desk_.worker, .reason = "released"});
  for (const Claim& claimed : mail_.claimed()) taken_.push_back(claimed);
  for (const Claim& claimed : taken_)  // Their step has not begun.
    releases.push_back({.seen = claimed.seen, .worker = desk_.worker, .reason = "released"});
  desk_.store.jobs().release(releases, desk_.now());
}

}  // namespace haul

#include "flow/worker/worker.h"

#include <algorithm>
#include <utility>

#include "base/ensure.h"
#include "base/redact.h"
#include "flow/worker/claim.h"
#include "flow/worker/restored.h"
#include "flow/worker/stop.h"

namespace haul::flow {

Worker::Worker(Store& store, std::vector<LifecycleWork> lifecycles, const Clock& clock,
               Random& random, const Settings& settings, const std::string& name)
    : name_{name},
      work_{std::move(lifecycles)},
      mail_{work_},
      desk_{store, clock, random, settings, WorkerId{}, mail_},
      sweep_{desk_} {
  desk_.work = work_;
  for (const LifecycleWork& each : work_) desk_.handlers.push_back(each.make_handler(desk_));
  try_to([this] { enlist(); });
}

void Worker::enlist() {
  desk_.worker = desk_.store.workers().enlist(name_, desk_.now());
  desk_.host_slots.set_worker(desk_.worker);
}

// Only the first sight in an empty inbox wakes the worker. It notifies after the unlock, so that
// the worker gets the lock at once.
void Worker::Mail::push(Sight sight) {
  ensure(static_cast<bool>(sight.job), "a sight is about a job");
  ensure(sight.item >= 0 && sight.fence >= 0, "a sight is about the job or one of its items");
  ensure(!sight.what.valueless_by_exception(), "a sight says what was seen");
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

std::optional<ClaimRequest> Worker::Mail::lend(const Lifecycle& lifecycle, std::size_t wanted) {
  if (!lifecycle.is_claimed() || !is_ready(work_, lifecycle)) return std::nullopt;
  if (const LifecycleWork* its = find_work(work_, lifecycle); its && its->hold->find())
    return std::nullopt;
  const Lock lock{mutex_};
  if (free_.is_restored && !begins_when_restored(lifecycle)) return std::nullopt;
  Capacity left = free_.capacity;
  left.free -= std::min(left.free, lent_ + claimed_.size());
  if (!left.is_ample()) return std::nullopt;  // Lanes that wait for their turn come first.
  const LifecycleWork& work = *find_work(work_, lifecycle);
  const LaneRoom room = room_in_lane(lifecycle, left, 0, work.limits.at_once);
  const std::size_t most = has_host_lanes(lifecycle) ? left.free : room.limit;
  ClaimRequest lent{.lifecycle = &lifecycle,
                    .lane = {},
                    .worker = worker_,
                    .limit = std::min(wanted, most),
                    .at_once = room.at_once,
                    .per_owner = work.limits.per_owner,
                    .refuses = work.refuses};
  lent_ += lent.limit;
  return lent;
}

void Worker::Mail::give_back(const ClaimRequest& lent, std::vector<Claim> taken) {
  const Lock lock{mutex_};
  ensure(taken.size() <= lent.limit && lent.limit <= lent_, "no more is given back than was lent");
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
constexpr std::size_t kReadAhead = 256;  // Sights whose jobs the worker reads in one call.
constexpr Millis kReadAheadFor{50};

// Small files end in quick succession, and waking up for each costs more than it gains: with 5,000
// small files a tenth of all CPU. But the connections of files that have ended idle meanwhile: 400
// us cost 6 % more time than 200.
constexpr std::chrono::microseconds kBreath{200};

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
  } else if (auto* seeding = std::get_if<Seeding>(&what)) {
    seeding->detail = safe_detail(seeding->detail);
  } else if (auto* released = std::get_if<Released>(&what)) {
    released->used_by = safe_detail(released->used_by);
  } else if (auto* accepted = std::get_if<Accepted>(&what)) {
    accepted->handle = accepted->handle.substr(0, kHandleMax);
  }
}

// An answer that did not come in time.
Sight no_answer(const Held& held, const Awaited& awaited) {
  const JobVersion& version = held.job.version;
  return {version.id, awaited.item, version.fence, awaited.start,
          Failed{.fault = {FaultKind::retryable, "no_answer", "nothing came back"},
                 .outcome_unknown = true}};
}

}  // namespace

void Worker::wait(Millis at_most) {
  bool has_unwritten = false;
  bool is_busy = false;
  for (const auto& handler : desk_.handlers) {
    const ItemWork* items = handler->item_work();
    if (!items) continue;
    has_unwritten = has_unwritten || items->has_unwritten();
    is_busy = is_busy || items->expects_many_sights();
  }
  const Millis longest =
      has_unwritten ? std::min(at_most, desk_.settings.write_items_every) : at_most;
  if (mail_.wait(longest, is_busy ? kBreath : std::chrono::microseconds{0})) looked_.reset();
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
  listens_from_ = desk_.clock.steady();
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
      desk_.handler(found->second).save(found->second);
    if (const auto found = desk_.held.find(id); found != desk_.held.end())
      desk_.release(found->second.job, "store_outage", Millis{0});
    desk_.doubtful.erase(id);
  }
}

void Worker::work() {
  if (takes_over_)
    rescue_everyone(desk_.store, [this] { return desk_.random.chance(); }, desk_.now());
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
  end_waits();
  end_stopping(desk_);
  for (const auto& handler : desk_.handlers)
    if (ItemWork* items = handler->item_work()) items->turn();
  desk_.flush();
  desk_.host_slots.give_back_spare();
  mail_.set_free(desk_.worker,
                 {.capacity = capacity_of(desk_), .is_restored = desk_.is_restored()});
}

void Worker::look_for_work() {
  const Steady now = desk_.clock.steady();
  if (looked_ && now - *looked_ < desk_.settings.look_every) return;
  if (!looked_) {  // The caller of wake() may have asked for a cancel or a pause.
    see_wishes(desk_);
    desk_.flush();  // What is cancelled is not claimed.
  }
  looked_ = now;
  claim(desk_);
  for (const auto& handler : desk_.handlers)
    if (ClientWork* client = handler->client_work()) client->look();
}

void Worker::read_mail() {
  for (Sight& sight : mail_.take()) {
    make_safe(sight.what);
    unread_.push_back(std::move(sight));
  }
  ReadJobs read;
  for (; !unread_.empty(); unread_.pop_front()) see(unread_.front(), read);
}

Held* Worker::held_for(const Sight& sight) {
  const auto found = desk_.held.find(sight.job);
  const bool is_ours = found != desk_.held.end() && sight.fence == found->second.job.version.fence;
  return is_ours ? &found->second : nullptr;
}

void Worker::read_ahead(ReadJobs& read) {
  std::vector<JobId> ids{unread_.front().job};
  const std::size_t most = std::min(unread_.size(), kReadAhead);
  for (std::size_t i = 1; i < most; ++i) {
    const Sight& sight = unread_[i];
    if (!desk_.is_asking(sight.job) && !read.contains(sight.job) && !held_for(sight))
      ids.push_back(sight.job);
  }
  std::ranges::sort(ids);
  ids.erase(std::ranges::unique(ids).begin(), ids.end());
  std::vector<Job> at_client;
  std::vector<std::optional<Job>> jobs = desk_.store.reader().find(ids);
  ensure(jobs.size() == ids.size(), "the store answers for every job");
  for (std::size_t i = 0; i < ids.size(); ++i) {
    std::optional<ClientJob>& known = read[ids[i]];
    std::optional<Job>& job = jobs[i];
    if (!job) continue;
    if (desk_.client_work(*job))
      at_client.push_back(*std::move(job));
    else
      known = ClientJob{.job = *std::move(job), .intents = {}, .request = {}};
  }
  for (ClientJob& each : read_client_jobs(desk_.store, std::move(at_client))) {
    const JobId id = each.job.version.id;
    read[id] = std::move(each);
  }
  read_at_ = desk_.clock.steady();  // Slow reads serve many sights, too.
}

void Worker::see(Sight& sight, ReadJobs& read) {
  if (desk_.is_asking(sight.job)) desk_.flush();  // Judge the job after its queued moves.
  if (Held* held = held_for(sight)) {
    read.erase(sight.job);  // The handler may change the job.
    held->heard = desk_.clock.steady();
    return desk_.handler(*held).see(*held, sight);
  }
  // Writes for earlier sights take time, and a user may have cancelled the job meanwhile.
  if (desk_.clock.steady() - read_at_ > kReadAheadFor) read.clear();
  if (!read.contains(sight.job)) read_ahead(read);
  const std::optional<ClientJob>& found = read.at(sight.job);
  if (!found) return;
  const Job& job = found->job;
  const bool cleared = sight.item == 0 && sight.start == 0 &&
                       std::holds_alternative<Stopped>(sight.what) && !job.state().is_open();
  if (cleared) return see_cleared(desk_, sight.job);
  const bool is_late = sight.fence != job.version.fence;  // It is about an earlier life of the job.
  ClientWork* client = desk_.client_work(job);
  if (!client || is_late) return;
  const ClientJob seen = *found;
  read.erase(sight.job);  // The handler may change the job.
  client->see(seen, sight.what);
}

// The store learns of the end before the work begins: from then on, a lost worker costs an attempt.
void Worker::end_waits() {
  const Steady now = desk_.clock.steady();
  std::vector<std::pair<Job, Observed>> ended;
  for (const auto& [id, held] : desk_.held)
    if (held.again_at && now >= *held.again_at && !desk_.is_asking(id))
      ended.emplace_back(held.job, Observed{.wait = HeldWait::ends});
  const std::vector<bool> written = desk_.observe_all(ended);
  for (std::size_t i = 0; i < ended.size(); ++i) {
    const JobId id = ended[i].first.version.id;
    if (written[i])
      go_on(id);
    else
      desk_.drop(id);  // The lease is lost.
  }
}

void Worker::go_on(JobId id) {
  const auto found = desk_.held.find(id);
  if (found == desk_.held.end()) return;
  Held& held = found->second;
  held.again_at.reset();
  held.heard = desk_.clock.steady();
  try {
    desk_.handler(held).again(held);
  } catch (const StoreFault&) {
    desk_.doubtful.insert(id);
    throw;
  }
}

// No answer can become overdue before the oldest one does, so most ticks skip the check.
void Worker::end_silence() {
  const Steady now = desk_.clock.steady();
  if (now < silent_from_) return;
  const Millis deadline = desk_.settings.answer_deadline;
  silent_from_ = now + deadline;
  for (const auto& [id, held] : desk_.held)
    for (const Awaited& awaited : desk_.handler(held).awaited(held)) {
      const Steady overdue_at = std::max(awaited.heard, listens_from_) + deadline;
      if (overdue_at <= now)
        unread_.push_back(no_answer(held, awaited));
      else
        silent_from_ = std::min(silent_from_, overdue_at);
    }
  read_mail();
}

std::vector<HeldJob> Worker::holding() const {
  std::vector<HeldJob> jobs;
  jobs.reserve(desk_.held.size());
  for (const auto& [id, held] : desk_.held) jobs.push_back({id, held.job.owner});
  return jobs;
}

std::vector<ClientTransfer> Worker::at_client() const {
  std::vector<ClientTransfer> all;
  for (const auto& handler : desk_.handlers) {
    ClientWork* client = handler->client_work();
    const auto some = client ? client->transfers() : std::vector<ClientTransfer>{};
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

std::vector<TransferView> Worker::transfers(JobId job) const {
  const auto found = desk_.held.find(job);
  if (found == desk_.held.end()) return {};
  Handler& handler = desk_.handler(found->second);
  if (const ItemWork* items = handler.item_work()) return items->transfers(found->second);
  const auto whole = handler.transfer(found->second);
  return whole ? std::vector{*whole} : std::vector<TransferView>{};
}

std::optional<OpenItems> Worker::open_items(JobId job) const {
  const auto found = desk_.held.find(job);
  if (found == desk_.held.end()) return std::nullopt;
  const ItemWork* items = desk_.handler(found->second).item_work();
  return items ? std::optional{items->open_items(found->second)} : std::nullopt;
}

void Worker::see_cancels() {
  try_to([this] {
    haul::flow::see_cancels(desk_);
    desk_.flush();
  });
}

bool Worker::wind_down() {
  mail_.withdraw();
  try_to([this] { read_mail(); });
  bool idle = true;
  for (auto it = desk_.held.begin(); it != desk_.held.end();) {
    Held& held = (it++)->second;  // Advances first: the job may be dropped.
    stop_and_keep(desk_, held);
    idle = idle && desk_.handler(held).is_at_rest(held);
    try_to([&] { desk_.handler(held).save(held); });
  }
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
  try_to([this] { desk_.host_slots.give_all(); });
}

void Worker::give_back_leases() {
  read_mail();
  for (auto it = desk_.held.begin(); it != desk_.held.end();) {
    Held& held = (it++)->second;
    desk_.handler(held).save(held);
  }
  desk_.flush();
  std::vector<Release> releases;
  releases.reserve(desk_.held.size());
  for (const auto& [id, held] : desk_.held)
    releases.push_back({.version = held.job.version, .worker = desk_.worker, .reason = "released"});
  for (const Claim& claimed : mail_.claimed()) taken_.push_back(claimed);
  for (const Claim& claimed : taken_)  // Their step has not begun.
    releases.push_back({.version = claimed.version, .worker = desk_.worker, .reason = "released"});
  desk_.store.jobs().release(releases, desk_.now());
  desk_.duties.give_all(desk_.worker);
}

}  // namespace haul::flow

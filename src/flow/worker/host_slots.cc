#include "flow/worker/host_slots.h"

#include <algorithm>
#include <utility>

namespace haul::flow {
namespace {

constexpr Millis kPassOnFor{1'000};
constexpr Millis kAskAgain{250};             // After a store fault.
constexpr Millis kPasserAsks{200};           // A waiting start asks more often than this.
constexpr std::size_t kPacedAtOnce = 1'000;  // Requests that are paced have no other limit.
constexpr Millis kSpareFor{100};  // Less than the 250 ms after which other workers ask again.

}  // namespace

HostSlots::HostSlots(Limits& limits, const Clock& clock, WorkerId worker, const HostRule& rule)
    : limits_{limits}, clock_{clock}, rule_{rule}, worker_{worker} {}

void HostSlots::set_worker(WorkerId worker) {
  const Lock lock{mutex_};
  worker_ = worker;
}

bool HostSlots::take(std::int64_t start, const std::string& host, const OwnLimits& own) {
  const Lock lock{mutex_};
  if (must_let_pass(host) || !take_at(host, own)) return false;
  hosts_[host].passers_turn = true;
  starts_[start] = {own, host, 1};
  return true;
}

void HostSlots::expect(std::int64_t start, const OwnLimits& own) {
  const Lock lock{mutex_};
  starts_[start] = {.own = own};
}

void HostSlots::give(std::int64_t start) {
  const Lock lock{mutex_};
  const auto found = starts_.find(start);
  if (found == starts_.end()) return;
  give_held(found->second);
  starts_.erase(found);
}

// Gives the slot back even at the same host and takes a new one, because every request counts and
// must keep its distance from the one before.
bool HostSlots::pass(std::int64_t start, const std::string& host) {
  const Lock lock{mutex_};
  const auto found = starts_.find(start);
  if (found == starts_.end()) return false;  // The start has ended.
  Start& mine = found->second;
  give_held(mine);
  if (!take_passing(host, mine)) return false;
  mine.host = host;
  mine.held = 1;
  return true;
}

bool HostSlots::more(std::int64_t start) {
  const Lock lock{mutex_};
  const auto found = starts_.find(start);
  if (found == starts_.end() || found->second.held == 0) return false;
  if (!take_at(found->second.host, found->second.own)) return false;
  ++found->second.held;
  return true;
}

std::size_t HostSlots::done(std::int64_t start) {
  const Lock lock{mutex_};
  const auto found = starts_.find(start);
  if (found == starts_.end()) return 0;
  const std::size_t had = found->second.held;
  give_held(found->second);
  return had;
}

void HostSlots::less(std::int64_t start) {
  const Lock lock{mutex_};
  const auto found = starts_.find(start);
  if (found == starts_.end() || found->second.held < 2) return;
  --found->second.held;
  give_at(found->second.host, found->second.own.job);
}

std::optional<std::int64_t> HostSlots::enter(std::int64_t start, const std::string& host) {
  const Lock lock{mutex_};
  const auto found = starts_.find(start);
  if (found == starts_.end() || !take_passing(host, found->second)) return std::nullopt;
  doors_[++last_door_] = {found->second.own.job, host};
  return last_door_;
}

void HostSlots::leave(std::int64_t door) {
  const Lock lock{mutex_};
  if (const auto found = doors_.extract(door)) give_at(found.mapped().host, found.mapped().job);
}

// The slot is given back at once: only the time of the last request counts.
Millis HostSlots::pace(const std::string& name, Millis apart) {
  const Lock lock{mutex_};
  if (const auto found = hosts_.find(name); found != hosts_.end())
    if (const Millis left = found->second.blocked_until - clock_.steady(); left > Millis{0})
      return left;
  const Time now = clock_.now();
  try {
    const auto taken = limits_.take(name, {.at_once = kPacedAtOnce, .apart = apart}, worker_, now);
    if (!taken) return std::max(taken.error() - now, Millis{1});
    limits_.give(name, worker_);
    return Millis{0};
  } catch (const StoreFault& fault) {
    remember(fault);
    return kAskAgain;
  }
}

void HostSlots::block(const std::string& host, std::int64_t wait_ms) {
  const Time now = clock_.now();
  try {
    limits_.block(host, now + Millis{wait_ms}, now);
  } catch (const StoreFault& fault) {  // Keeps the block in memory instead.
    const Lock lock{mutex_};
    remember(fault);
    hosts_[host].blocked_until = clock_.steady() + std::min(Millis{wait_ms}, kBlockMax);
  }
}

// Whether a new start must leave the next slot to a running start that waits: they take turns.
// Without a delay between starts, slots become free soon enough for both.
bool HostSlots::must_let_pass(const std::string& name) {
  const auto found = hosts_.find(name);
  if (passes_on() || found == hosts_.end()) return false;
  return found->second.passers_turn && clock_.steady() - found->second.passer_waits < kPasserAsks;
}

bool HostSlots::take_passing(const std::string& name, Start& start) {
  const bool taken = take_at(name, start.own);
  Host& host = hosts_[name];
  if (taken) {
    host.passers_turn = false;
  } else if (own_allows(name, start.own)) {
    host.passer_waits = clock_.steady();
  } else {
    start.waits_for = name;
    start.asked = clock_.steady();
  }
  return taken;
}

// Checks the job's own limits, which count only its own requests.
bool HostSlots::own_allows(const std::string& name, const OwnLimits& own) {
  const auto found = own_use_.find({own.job, name});
  if (found == own_use_.end()) return true;
  const OwnUse& use = found->second;
  if (own.at_once > 0 && use.held >= own.at_once) return false;
  return clock_.steady() - use.started >= own.apart;
}

bool HostSlots::take_at(const std::string& name, const OwnLimits& own) {
  if (!own_allows(name, own) || !take_shared(name)) return false;
  if (own.at_once == 0 && own.apart == Millis{0}) return true;
  OwnUse& use = own_use_[{own.job, name}];
  ++use.held;
  use.started = clock_.steady();
  use.apart = own.apart;
  return true;
}

bool HostSlots::take_shared(const std::string& name) {
  Host& host = hosts_[name];
  if (host.spare > 0 && passes_on()) {
    --host.spare;
    return true;
  }
  const Steady now = clock_.steady();
  if (now < host.full_until || now < host.blocked_until || host.ours >= rule_.at_once) return false;
  const Time wall = clock_.now();
  try {
    const auto taken = limits_.take(name, rule_, worker_, wall);
    if (taken) {
      host.since = now;
      ++host.ours;
      return true;
    }
    host.full_until = now + (taken.error() - wall);
  } catch (const StoreFault& fault) {  // Treated as no free slot.
    remember(fault);
    host.full_until = now + kAskAgain;
  }
  return false;
}

void HostSlots::give_at(const std::string& name, JobId job) {
  if (const auto own = own_use_.find({job, name}); own != own_use_.end() && own->second.held > 0)
    --own->second.held;
  Host& host = hosts_[name];
  const Steady now = clock_.steady();
  host.full_until = {};
  const auto put_aside = [&] {
    ++host.spare;
    host.spare_since = now;
  };
  if (passes_on() && now - host.since < kPassOnFor) return put_aside();
  try {
    limits_.give(name, worker_);
    if (host.ours > 0) --host.ours;
  } catch (const StoreFault& fault) {
    remember(fault);
    put_aside();
  }
}

void HostSlots::give_held(Start& start) {
  for (; start.held > 0; --start.held) give_at(start.host, start.own.job);
}

// Skips a full or busy store: the worker meets that itself, at its next heartbeat at the latest.
void HostSlots::remember(const StoreFault& fault) {
  if (!is_passing(fault.kind())) met_ = fault;
}

void HostSlots::give_back_spare() {
  const Lock lock{mutex_};
  if (met_) throw StoreFault{*met_};
  const Steady now = clock_.steady();
  for (auto& [name, host] : hosts_) {
    if (host.spare == 0 || now - host.spare_since < kSpareFor) continue;
    limits_.give(name, worker_, host.spare);
    host.ours -= std::min(host.ours, std::exchange(host.spare, 0));
  }
  // Forgets idle hosts; the next request adds them again.
  std::erase_if(hosts_, [&](const auto& host) {
    const Host& known = host.second;
    return known.ours == 0 && now >= known.full_until && now >= known.blocked_until &&
           now - known.since >= kPassOnFor && now - known.passer_waits >= kPasserAsks;
  });
  std::erase_if(own_use_, [&](const auto& use) {
    return use.second.held == 0 && now - use.second.started >= use.second.apart;
  });
}

Steady HostSlots::closed_until(const std::string& host, const OwnLimits& own) {
  const Lock lock{mutex_};
  Steady until{};
  if (const auto found = hosts_.find(host); found != hosts_.end())
    until = std::max(found->second.full_until, found->second.blocked_until);
  if (const auto use = own_use_.find({own.job, host}); use != own_use_.end())
    until = std::max(until, use->second.started + own.apart);
  return until;
}

std::optional<Steady> HostSlots::waits_until(std::int64_t start) {
  const Lock lock{mutex_};
  const auto found = starts_.find(start);
  if (found == starts_.end() || found->second.waits_for.empty()) return std::nullopt;
  const Start& mine = found->second;
  if (clock_.steady() - mine.asked >= kPasserAsks) return std::nullopt;
  const auto use = own_use_.find({mine.own.job, mine.waits_for});
  if (use == own_use_.end() || use->second.held > 0) return std::nullopt;
  return use->second.started + mine.own.apart;
}

void HostSlots::give_all() {
  const Lock lock{mutex_};
  hosts_.clear();
  starts_.clear();
  doors_.clear();
  own_use_.clear();
  if (worker_) limits_.give_all(worker_);
}

}  // namespace haul::flow

#include "flow/places.h"

#include <algorithm>
#include <utility>

namespace haul {
namespace {

constexpr Millis kPassOnFor{1'000};
constexpr Millis kBlockMax{600'000};  // Z-11.
constexpr Millis kAskAgain{250};      // After the store failed.
constexpr Millis kSpareFor{100};      // Less than what whoever waits for a place asks again after.

}  // namespace

Places::Places(Limits& limits, const Clock& clock, WorkerId worker)
    : limits_{limits}, clock_{clock}, worker_{worker} {}

void Places::set_worker(WorkerId worker) {
  const Lock lock{mutex_};
  worker_ = worker;
}

bool Places::take(std::int64_t start, const std::string& host, const HostRule& rule) {
  const Lock lock{mutex_};
  if (!take_at(host, rule)) return false;
  starts_[start] = {rule, host, 1};
  return true;
}

void Places::expect(std::int64_t start, const HostRule& rule) {
  const Lock lock{mutex_};
  starts_[start] = {.rule = rule};
}

void Places::give(std::int64_t start) {
  const Lock lock{mutex_};
  const auto found = starts_.find(start);
  if (found == starts_.end()) return;
  for (; found->second.held > 0; --found->second.held) give_at(found->second.host);
  starts_.erase(found);
}

// A place at the same host is renewed rather than kept: each request counts, and each waits until
// it is far enough from the one before.
bool Places::pass(std::int64_t start, const std::string& host) {
  const Lock lock{mutex_};
  const auto found = starts_.find(start);
  if (found == starts_.end()) return false;  // It is over.
  Start& mine = found->second;
  for (; mine.held > 0; --mine.held) give_at(mine.host);
  if (!take_at(host, mine.rule)) return false;
  mine.host = host;
  mine.held = 1;
  return true;
}

bool Places::more(std::int64_t start) {
  const Lock lock{mutex_};
  const auto found = starts_.find(start);
  if (found == starts_.end() || found->second.held == 0) return false;
  if (!take_at(found->second.host, found->second.rule)) return false;
  ++found->second.held;
  return true;
}

void Places::less(std::int64_t start) {
  const Lock lock{mutex_};
  const auto found = starts_.find(start);
  if (found == starts_.end() || found->second.held < 2) return;
  --found->second.held;
  give_at(found->second.host);
}

std::optional<std::int64_t> Places::enter(std::int64_t start, const std::string& host) {
  const Lock lock{mutex_};
  const auto found = starts_.find(start);
  if (found == starts_.end() || !take_at(host, found->second.rule)) return std::nullopt;
  doors_[++last_door_] = host;
  return last_door_;
}

void Places::leave(std::int64_t door) {
  const Lock lock{mutex_};
  if (const auto found = doors_.extract(door)) give_at(found.mapped());
}

void Places::block(const std::string& host, std::int64_t wait_ms) {
  const Time now = clock_.now();
  try {
    limits_.block(host, now + Millis{wait_ms}, now);
  } catch (const StoreFault& fault) {  // Kept here instead.
    const Lock lock{mutex_};
    remember(fault);
    hosts_[host].blocked_until = clock_.steady() + std::min(Millis{wait_ms}, kBlockMax);
  }
}

bool Places::take_at(const std::string& name, const HostRule& rule) {
  Host& host = hosts_[name];
  host.passes_on = rule.apart == Millis{0};
  if (host.spare > 0 && host.passes_on) {
    --host.spare;
    return true;
  }
  const Steady now = clock_.steady();
  if (now < host.full_until || now < host.blocked_until || host.ours >= rule.at_once) return false;
  const Time wall = clock_.now();
  try {
    const auto taken = limits_.take(name, rule, worker_, wall);
    if (taken) {
      host.since = now;
      ++host.ours;
      return true;
    }
    host.full_until = now + (taken.error() - wall);
  } catch (const StoreFault& fault) {  // No place now.
    remember(fault);
    host.full_until = now + kAskAgain;
  }
  return false;
}

void Places::give_at(const std::string& name) {
  Host& host = hosts_[name];
  const Steady now = clock_.steady();
  host.full_until = {};
  const auto put_aside = [&] {
    ++host.spare;
    host.spare_since = now;
  };
  if (host.passes_on && now - host.since < kPassOnFor) return put_aside();
  try {
    limits_.give(name, worker_);
    if (host.ours > 0) --host.ours;
  } catch (const StoreFault& fault) {
    remember(fault);
    put_aside();
  }
}

// A store that is full or busy is met by the worker itself, at its next beat at the latest.
void Places::remember(const StoreFault& fault) {
  if (!is_passing(fault.kind())) met_ = fault;
}

void Places::give_back_spare() {
  const Lock lock{mutex_};
  if (met_) throw StoreFault{*met_};
  const Steady now = clock_.steady();
  for (auto& [name, host] : hosts_) {
    if (host.spare == 0 || now - host.spare_since < kSpareFor) continue;
    limits_.give(name, worker_, host.spare);
    host.ours -= std::min(host.ours, std::exchange(host.spare, 0));
  }
  // A host that is free costs nothing to know again.
  std::erase_if(hosts_, [&](const auto& host) {
    const Host& known = host.second;
    return known.ours == 0 && now >= known.full_until && now >= known.blocked_until &&
           now - known.since >= kPassOnFor;
  });
}

void Places::give_all() {
  const Lock lock{mutex_};
  hosts_.clear();
  starts_.clear();
  doors_.clear();
  if (worker_) limits_.give_all(worker_);
}

}  // namespace haul

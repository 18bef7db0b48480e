#include "flow/places.h"

namespace haul {
namespace {

constexpr Millis kPassOnFor{1'000};

}  // namespace

Places::Places(Limits& limits, const Clock& clock, WorkerId worker)
    : limits_{limits}, clock_{clock}, worker_{worker} {}

bool Places::take(const std::string& name, const HostRule& rule) {
  Host& host = hosts_[name];
  host.passes_on = rule.apart == Millis{0};
  if (host.spare > 0 && host.passes_on) {
    --host.spare;
    return true;
  }
  const Steady now = clock_.steady();
  if (now < host.full_until) return false;
  const Time wall = clock_.now();
  const auto taken = limits_.take(name, rule, worker_, wall);
  if (taken) {
    host.since = now;
    return true;
  }
  host.full_until = now + (taken.error() - wall);
  return false;
}

void Places::give(const std::string& name) {
  Host& host = hosts_[name];
  host.full_until = {};
  if (host.passes_on && clock_.steady() - host.since < kPassOnFor)
    ++host.spare;
  else
    limits_.give(name, worker_);
}

void Places::give_back_spare() {
  for (auto& [name, host] : hosts_)
    for (; host.spare > 0; --host.spare) limits_.give(name, worker_);
  // A host that is free costs nothing to know again.
  const Steady now = clock_.steady();
  std::erase_if(hosts_, [&](const auto& host) {
    return now >= host.second.full_until && now - host.second.since >= kPassOnFor;
  });
}

void Places::give_all() {
  hosts_.clear();
  limits_.give_all(worker_);
}

}  // namespace haul

#include "flow/retain.h"

#include <algorithm>

namespace haul {
namespace {

constexpr Millis kRoundEvery{3'600'000};
constexpr Millis kStepEvery{50};
constexpr Millis kStepLong{25};  // A longer step is halved, to stay below 50 ms.
constexpr Millis kStepShort{10};
constexpr std::size_t kRowsMin = 100;
constexpr std::size_t kRowsMax = 2'000;

constexpr Millis kKeepEvents{std::chrono::days{90}};  // SX-7.
constexpr Millis kKeepKeys{std::chrono::days{90}};
constexpr Millis kKeepHosts{std::chrono::days{1}};

bool is_due(const std::optional<Steady>& last, Millis every, Steady now) {
  return !last || now - *last >= every;
}

}  // namespace

void Retention::run(Time now) {
  const Steady began = clock_.steady();
  if (stage_ == Stage::idle) {
    if (!is_due(began_, kRoundEvery, began)) return;
    began_ = began;
    stage_ = Stage::events;
    event_ = {};
    host_.clear();
  }
  if (!is_due(stepped_, kStepEvery, began)) return;
  stepped_ = began;
  while (stage_ != Stage::idle && !step(now)) {
  }
  measure(clock_.steady() - began);
}

bool Retention::step(Time now) {
  switch (stage_) {
    case Stage::idle:
      return false;
    case Stage::events: {
      const Pruned pruned = store_.events().prune(now - kKeepEvents, event_, rows_);
      event_ = pruned.next.value_or(EventId{});
      if (pruned.next) return true;
      stage_ = Stage::keys;
      return pruned.removed > 0;
    }
    case Stage::keys:
      if (store_.jobs().prune_keys(now - kKeepKeys, rows_) == rows_) return true;
      stage_ = Stage::hosts;
      return false;
    case Stage::hosts:
      host_ = store_.limits().prune(now - kKeepHosts, host_, rows_);
      if (!host_.empty()) return true;
      stage_ = Stage::sessions;
      return false;
    case Stage::sessions:
      if (store_.access().sessions().prune(now, rows_) == rows_) return true;
      stage_ = Stage::idle;
      return false;
  }
  return false;
}

void Retention::measure(Millis took) {
  if (took > kStepLong) rows_ = std::max(rows_ / 2, kRowsMin);
  if (took < kStepShort) rows_ = std::min(rows_ * 2, kRowsMax);
}

}  // namespace haul

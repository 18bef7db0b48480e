#include "flow/worker/retain.h"

#include <algorithm>

#include "flow/worker/due.h"

namespace haul::flow {
namespace {

constexpr Millis kRoundEvery{3'600'000};
constexpr Millis kStepEvery{50};
constexpr Millis kStepLong{25};  // A longer step halves the next, to stay below 50 ms.
constexpr Millis kStepShort{10};
constexpr std::size_t kRowsMin = 100;
constexpr std::size_t kRowsMax = 2'000;

constexpr Millis kKeepEvents{std::chrono::days{90}};  // SX-7.
constexpr Millis kKeepKeys{std::chrono::days{90}};
constexpr Millis kKeepHosts{std::chrono::days{1}};
constexpr Millis kKeepSessions{std::chrono::days{1}};      // After they ended.
constexpr Millis kKeepDeliveries{std::chrono::days{365}};  // After the file was last sent.
constexpr Millis kKeepWorkers{std::chrono::days{30}};      // After their last beat.

}  // namespace

void Retention::run(const Before& before, const MayWrite& may_write) {
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
  while (stage_ != Stage::idle && may_write() && !step(before)) {
  }
  measure(clock_.steady() - began);
}

bool Retention::step(const Before& before) {
  switch (stage_) {
    case Stage::idle:
      return false;
    case Stage::events: {
      stage_ = Stage::keys;
      const auto old = before(kKeepEvents);
      if (!old) return false;
      const Pruned pruned = store_.events().prune(*old, event_, rows_);
      event_ = pruned.next.value_or(EventId{});
      if (pruned.next) stage_ = Stage::events;
      return pruned.next || pruned.removed > 0;
    }
    case Stage::keys: {
      stage_ = Stage::hosts;
      const auto old = before(kKeepKeys);
      if (!old || store_.jobs().prune_keys(*old, rows_) < rows_) return false;
      stage_ = Stage::keys;
      return true;
    }
    case Stage::hosts: {
      stage_ = Stage::sessions;
      const auto old = before(kKeepHosts);
      if (old) host_ = store_.limits().prune(*old, host_, rows_);
      if (!old || host_.empty()) return false;
      stage_ = Stage::hosts;
      return true;
    }
    case Stage::sessions: {
      stage_ = Stage::deliveries;
      const auto old = before(kKeepSessions);
      if (!old || store_.access().sessions().prune(*old, rows_) < rows_) return false;
      stage_ = Stage::sessions;
      return true;
    }
    case Stage::deliveries: {
      stage_ = Stage::workers;
      const auto old = before(kKeepDeliveries);
      if (!old || store_.deliveries().prune(*old, rows_) < rows_) return false;
      stage_ = Stage::deliveries;
      return true;
    }
    case Stage::workers: {
      stage_ = Stage::idle;
      const auto old = before(kKeepWorkers);
      if (!old || store_.workers().prune(*old, rows_) < rows_) return false;
      stage_ = Stage::workers;
      return true;
    }
  }
  return false;
}

void Retention::measure(Millis took) {
  if (took > kStepLong) rows_ = std::max(rows_ / 2, kRowsMin);
  if (took < kStepShort) rows_ = std::min(rows_ * 2, kRowsMax);
}

}  // namespace haul::flow

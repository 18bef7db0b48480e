#include "app/duty_thread.h"

#include <utility>

#include "base/ensure.h"
#include "store/refusal.h"

namespace haul::app {
namespace {

constexpr Millis kAfterTrouble{30'000};
constexpr Millis kWithoutDuty{1'000};

}  // namespace

DutyThread::DutyThread(std::string name, Store& store, flow::OwnDuties& duties, Step step)
    : name_{std::move(name)}, store_{store}, duties_{duties}, step_{std::move(step)} {
  duties.want(name_);
}

void DutyThread::begin() {
  ensure(!thread_.joinable(), "a duty has one thread");
  thread_ = std::thread{[this] { run(); }};
}

void DutyThread::end() {
  {
    const Lock lock{mutex_};
    ending_ = true;
    over_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

bool DutyThread::may_go_on() {
  {
    const Lock lock{mutex_};
    if (ending_) return false;
  }
  return store_.duties().holds(duty_);
}

void DutyThread::run() {
  for (bool ended = false; !ended;) {
    Millis wait{0};
    try {
      const auto duty = duties_.held(name_);
      duty_ = duty.value_or(Duty{});
      wait = duty ? step_() : kWithoutDuty;
    } catch (const StoreFault&) {
      wait = kAfterTrouble;  // The worker meets the same fault and reports it.
    }
    const Lock lock{mutex_};
    ended = over_.wait_for(mutex_, wait, [this]() REQUIRES(mutex_) { return ending_; });
  }
}

}  // namespace haul::app

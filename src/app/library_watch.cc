#include "app/library_watch.h"

#include "base/ensure.h"
#include "io/file/file_presence.h"
#include "store/refusal.h"

namespace haul::app {
namespace {

constexpr Millis kAfterTrouble{30'000};
constexpr Millis kWithoutDuty{1'000};
constexpr const char* kDuty = "library";

}  // namespace

LibraryWatch::LibraryWatch(Store& store, const Clock& clock, flow::LibrarySettings settings,
                           flow::OwnDuties& duties)
    : duties_{duties}, library_{store, clock, io::presence_of, settings, [this, &store] {
                                  return store.duties().holds(duty_);
                                }} {
  duties.want(kDuty);
}

void LibraryWatch::begin() {
  ensure(!thread_.joinable(), "one thread checks the library");
  thread_ = std::thread{[this] { run(); }};
}

void LibraryWatch::end() {
  {
    const Lock lock{mutex_};
    ending_ = true;
    over_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

void LibraryWatch::run() {
  for (bool ended = false; !ended;) {
    Millis wait{0};
    try {
      const auto duty = duties_.held(kDuty);
      duty_ = duty.value_or(Duty{});
      wait = duty ? library_.step() : kWithoutDuty;
    } catch (const StoreFault&) {
      wait = kAfterTrouble;  // The worker meets the same fault and reports it.
    }
    const Lock lock{mutex_};
    ended = over_.wait_for(mutex_, wait, [this]() REQUIRES(mutex_) { return ending_; });
  }
}

}  // namespace haul::app

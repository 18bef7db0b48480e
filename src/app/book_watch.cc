#include "app/book_watch.h"

#include "base/ensure.h"
#include "io/file/file_presence.h"
#include "store/refusal.h"

namespace haul::app {
namespace {

constexpr Millis kAfterTrouble{30'000};
constexpr Millis kWithoutDuty{1'000};
constexpr const char* kDuty = "book_check";

}  // namespace

BookWatch::BookWatch(Store& store, const Clock& clock, flow::BookCheckSettings settings,
                     flow::OwnDuties& duties)
    : duties_{duties}, check_{store, clock, io::presence_of, settings, [this, &store] {
                                return store.duties().holds(duty_);
                              }} {
  duties.want(kDuty);
}

void BookWatch::begin() {
  ensure(!thread_.joinable(), "one thread checks the library");
  thread_ = std::thread{[this] { run(); }};
}

void BookWatch::end() {
  {
    const Lock lock{mutex_};
    ending_ = true;
    over_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

void BookWatch::run() {
  for (bool ended = false; !ended;) {
    Millis wait{0};
    try {
      const auto duty = duties_.held(kDuty);
      duty_ = duty.value_or(Duty{});
      wait = duty ? check_.step() : kWithoutDuty;
    } catch (const StoreFault&) {
      wait = kAfterTrouble;  // The worker meets the same fault and reports it.
    }
    const Lock lock{mutex_};
    ended = over_.wait_for(mutex_, wait, [this]() REQUIRES(mutex_) { return ending_; });
  }
}

}  // namespace haul::app

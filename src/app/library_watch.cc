#include "app/library_watch.h"

#include "io/file/file_presence.h"
#include "store/refusal.h"

namespace haul {
namespace {

constexpr Millis kAfterTrouble{30'000};

}  // namespace

LibraryWatch::LibraryWatch(Store& store, const Clock& clock, LibrarySettings settings)
    : library_{store, clock, presence_of, settings} {}

void LibraryWatch::begin() {
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
      wait = library_.step();
    } catch (const StoreFault&) {
      wait = kAfterTrouble;  // The worker meets the same fault and reports it.
    }
    const Lock lock{mutex_};
    ended = over_.wait_for(mutex_, wait, [this]() REQUIRES(mutex_) { return ending_; });
  }
}

}  // namespace haul

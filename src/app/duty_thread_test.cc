// A duty on its own thread: it works only under the duty, and stops when it is told to.

#include "app/duty_thread.h"

#include <doctest/doctest.h>

#include "support/flow/script.h"
#include "support/store/bench.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

// Lets a test wait for a step.
class Steps {
 public:
  void add() {
    const Lock lock{mutex_};
    ++count_;
    added_.notify_all();
  }
  bool come_to(int count) {
    const Lock lock{mutex_};
    return added_.wait_for(mutex_, 60s, [&]() REQUIRES(mutex_) { return count_ >= count; });
  }
  int count() {
    const Lock lock{mutex_};
    return count_;
  }

 private:
  Mutex mutex_;
  Condition added_;
  int count_ GUARDED_BY(mutex_) = 0;
};

struct OnDuty {
  Bench b;
  HandClock clock;
  WorkerId worker = b.store().workers().enlist("one", clock.now());
  WorkerId other = b.store().workers().enlist("two", clock.now());
  flow::OwnDuties duties{b.store(), clock, 2s};
  Steps steps;
};

}  // namespace

TEST_CASE("a duty's step may go on until another process has the duty") {
  OnDuty d;
  std::vector<bool> may;
  app::DutyThread* self = nullptr;
  app::DutyThread thread{"check", d.b.store(), d.duties, [&] {
                           may.push_back(self->may_go_on());
                           d.b.store().duties().give("check", d.worker);
                           d.b.store().duties().take("check", d.other, std::nullopt);
                           may.push_back(self->may_go_on());
                           d.steps.add();
                           return Millis{1h};
                         }};
  self = &thread;
  d.duties.take_wanted(d.worker);

  thread.begin();
  REQUIRE(d.steps.come_to(1));
  thread.end();

  CHECK((may == std::vector<bool>{true, false}));
}

TEST_CASE("a duty's step may not go on once the process ends, and no other step begins") {
  OnDuty d;
  bool may = true;
  app::DutyThread* self = nullptr;
  app::DutyThread thread{"check", d.b.store(), d.duties, [&] {
                           d.steps.add();
                           while (self->may_go_on()) std::this_thread::yield();
                           may = self->may_go_on();
                           return Millis{0};
                         }};
  self = &thread;
  d.duties.take_wanted(d.worker);

  thread.begin();
  REQUIRE(d.steps.come_to(1));
  thread.end();

  CHECK_FALSE(may);
  CHECK(d.steps.count() == 1);
}

TEST_CASE("a process without the duty does none of its steps") {
  OnDuty d;
  app::DutyThread thread{"check", d.b.store(), d.duties, [&] {
                           d.steps.add();
                           return Millis{1h};
                         }};
  REQUIRE(d.b.store().duties().take("check", d.other, std::nullopt).holder == d.other);
  d.duties.take_wanted(d.worker);

  thread.begin();
  thread.end();

  CHECK(d.steps.count() == 0);
}

}  // namespace haul::testing

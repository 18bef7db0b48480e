#include "app/pool.h"

#include <doctest/doctest.h>

namespace haul::app {

TEST_CASE(
    "a pool works on as many tasks at once as it has threads, keeps a few, refuses the rest") {
  Mutex mutex;
  Condition changed;
  int running = 0;
  int most = 0;
  int done = 0;
  bool may_end = false;
  const auto task = [&] {
    const Lock lock{mutex};
    most = std::max(most, ++running);
    changed.notify_all();
    changed.wait(mutex, [&] { return may_end; });
    --running;
    ++done;
    changed.notify_all();
  };
  Pool pool{2, 3};

  for (int i = 0; i < 2; ++i) REQUIRE(pool.post(task));
  {
    const Lock lock{mutex};
    changed.wait(mutex, [&] { return running == 2; });
  }
  for (int i = 0; i < 3; ++i) CHECK(pool.post(task));
  CHECK_FALSE(pool.post(task));

  const Lock lock{mutex};
  may_end = true;
  changed.notify_all();
  changed.wait(mutex, [&] { return done == 5; });
  CHECK(most == 2);
}

}  // namespace haul::app

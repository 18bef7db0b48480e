// How long workers have run (promise 6).

#include "store/uptime.h"

#include <doctest/doctest.h>

#include "support/store/bench.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

constexpr Time kNow = Bench::kStart;

}  // namespace

TEST_CASE("promise 6: a stretch begins where the last one that was lived ended, by count") {
  Bench b;
  Uptime& uptime = b.store().uptime();

  const Stretch first = uptime.begin(kNow, 0s);
  uptime.extend(first.id, kNow + 10s);
  uptime.extend(first.id, kNow + 5s);  // An earlier time changes nothing.
  const Stretch second = uptime.begin(kNow + 24h, 0s);
  uptime.extend(second.id, kNow + 24h + 1s);
  const Stretch third = uptime.begin(kNow - 24h, 60s);

  CHECK(first.lived_before == 0s);
  CHECK(second.lived_before == 10s);
  CHECK(third.lived_before == 60s);
  CHECK(uptime.list() == std::vector<Stretch>{{first.id, kNow, kNow + 10s, 0s},
                                              {second.id, kNow + 24h, kNow + 24h + 1s, 10s},
                                              {third.id, kNow - 24h, kNow - 24h, 60s}});
}

TEST_CASE(
    "promise 17: a store remembers a thousand stretches, and forgets none of what was lived") {
  Bench b;
  Uptime& uptime = b.store().uptime();
  Time now = kNow;
  for (std::size_t i = 0; i < kStretchesMax; ++i) {
    uptime.extend(uptime.begin(now, 0s).id, now + 1s);
    now += 1min;
  }
  CHECK(uptime.list().size() == kStretchesMax);

  const Stretch next = uptime.begin(now, 0s);

  CHECK(uptime.list().size() == kStretchesMax);
  CHECK(uptime.list().front().from == kNow + 1min);
  CHECK(next.lived_before == 1'000s);
}

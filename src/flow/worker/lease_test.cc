// The lease of a lifecycle can be configured (A3-5).

#include <doctest/doctest.h>

#include "support/flow/script.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

// Beats twice a second, and loses relays after 2 s.
flow::Settings short_lease() {
  flow::Settings settings;
  settings.beat_every = 500ms;
  settings.sweep_every = 500ms;
  settings.leases = {{&kRelay, 2s}};
  return settings;
}

}  // namespace

TEST_CASE("A3-5: with T = 2 s a silent worker's relay is queued again after it, not before") {
  Stage s{short_lease()};
  const JobId id = s.add(kRelay);
  s.tick();
  s.crash();
  s.hire();
  s.tick();
  s.live(1'999ms, 500ms);
  CHECK(s.trail(id) == "QUEUED > CLAIMED > DOWNLOADING");
  s.live(501ms, 500ms);
  CHECK(s.job(id).version.attempt == 1);
}

TEST_CASE("A3-5: a lifecycle whose lease is not configured keeps its own") {
  const flow::Settings settings = short_lease();
  CHECK((flow::lease_of(settings, kRelay) == 2s));
  CHECK((flow::lease_of(settings, kBatch) == kBatch.lease_after));
  CHECK((flow::lease_of({}, kRelay) == 30s));
}

}  // namespace haul::testing

// Times of an image that a restart does not begin anew: its start, its retry, its longest wait.

#include <doctest/doctest.h>

#include "support/flow/script.h"

namespace haul::testing {

using namespace std::chrono_literals;

TEST_CASE("F47, F25: a paid image waits for this machine longer than image.wait_max") {
  Stage s;
  const JobId id = s.buy(4);
  s.tick();
  s.reply("images.start", Accepted{.handle = "call-1"});
  s.reply("images.start", Waiting{.detail = {}, .code = "at_work"});
  for (int i = 0; i < 70; ++i) {
    s.live(30s);
    s.reply("images.look", Unseen{.code = "disk_full", .by_us = true});
  }
  CHECK(s.state(id) == "running");
  CHECK(s.job(id).reason == "disk_full");

  const auto fails_for = [&](Millis time) {
    for (; time > Millis{0}; time -= 30s) {
      s.live(30s);
      s.reply("images.look", Unseen{.code = "http_500"});
    }
  };
  fails_for(29min + 30s);
  CHECK(s.state(id) == "running");
  CHECK(s.job(id).reason == "http_500");

  fails_for(30s);
  CHECK(s.job(id).reason == "provider_too_slow");
}

TEST_CASE("F47: image.wait_max counts from the call on, also over a restart") {
  Stage s;
  const JobId id = s.buy(4);
  s.tick();
  s.reply("images.start", Accepted{.handle = "call-1"});
  const Waiting at_work{.detail = {}, .code = "at_work"};
  s.reply("images.start", at_work);
  const auto polls_for = [&](Millis time) {
    for (; time > Millis{0}; time -= 2s) {
      s.live(2s);
      s.reply("images.look", at_work);
    }
  };
  polls_for(20min);
  s.crash();
  s.clock.set(std::chrono::hours{5});  // The clock may be wrong at the start; that ends nothing.
  s.hire();
  s.live(20s);
  s.reply("images.look", at_work);
  CHECK(s.state(id) == "running");

  polls_for(9min);
  CHECK(s.state(id) == "running");
  CHECK(s.job(id).reason == "at_work");
  for (int i = 0; i < 30 && s.state(id) == "running"; ++i) polls_for(2s);
  CHECK(s.job(id).reason == "provider_too_slow");
  CHECK(s.count("images.start") == 1);
}

TEST_CASE("S3-6, S4-4: who takes an image records its start, and beats at least every 5 s") {
  Stage s;
  const JobId id = s.buy(4);
  CHECK_FALSE(s.job(id).started_at);
  s.after(3s);
  const Time started = s.clock.now();
  CHECK((s.job(id).started_at == started));

  for (int i = 0; i < 60; ++i) {
    s.after(1s);
    const auto worker = s.store().workers().find(s.job(id).worker);
    REQUIRE(worker);
    CHECK((s.clock.now() - worker->beat_at < 5s));
  }
  CHECK((s.job(id).started_at == started));
}

TEST_CASE("S4-9: a retry that waits survives a restart, begins at its time and takes no credits") {
  Stage s;
  const JobId id = s.buy(4);
  s.tick();
  Failed busy = failed(FaultKind::retryable, "http_503");
  busy.wait_ms = 60'000;
  s.reply("images.start", busy);
  CHECK(s.state(id) == "failed");
  s.crash();
  s.hire();

  s.live(59'999ms);
  CHECK(s.state(id) == "failed");
  CHECK(s.count("images.start") == 1);
  s.live(1'001ms);
  CHECK(s.state(id) == "running");
  CHECK(s.count("images.start") == 2);
  CHECK(s.wallet().available == 6);
  CHECK(s.wallet().reserved == 4);
}

}  // namespace haul::testing

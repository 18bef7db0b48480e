// Nothing is paid for that the bucket cannot keep (promises 5 and 12).

#include <doctest/doctest.h>

#include <utility>

#include "flow/user/why.h"
#include "support/flow/script.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

const Failed kRefused = failed(FaultKind::environment, "no_permission");

// An image whose worker asks whether the bucket can keep it.
JobId asking(Stage& s) {
  s.bucket_is_usable = false;
  const JobId id = s.buy(4);
  s.tick();
  CHECK(s.asked() == "bucket.is_usable 1");
  return id;
}

flow::Why why(Stage& s, JobId id) {
  return *flow::explain(s.store(), id, s.clock.now(), {}, s.worker().all_work());
}

}  // namespace

TEST_CASE("promise 12: while the bucket takes nothing, an image is not paid and loses no attempt") {
  Stage s;
  const JobId id = asking(s);
  s.reply("bucket.is_usable", kRefused);
  const JobId later = s.add(kImage, {.price = 4});
  s.live(29'999ms);

  CHECK(s.asked().empty());
  CHECK(s.job(id).reason == "no_permission");
  CHECK(s.job(id).version.attempt == 0);
  CHECK(s.intents(id).empty());
  CHECK(s.wallet().reserved == 8);
  for (const JobId each : {id, later}) {
    CHECK(why(s, each).code == "no_permission");
    CHECK(why(s, each).next == "haul tries again");
  }

  s.after(1ms);  // One of the two asks again, and finds no better answer.
  CHECK(s.count("bucket.is_usable") == 2);
  s.reply("bucket.is_usable", kRefused);
  s.live(30s);
  CHECK(s.count("bucket.is_usable") == 3);
  CHECK(s.count("images.start") == 0);

  s.bucket_is_usable = true;
  s.reply("bucket.is_usable", Usable{});
  s.live(31s);
  CHECK(s.count("images.start") == 2);
  CHECK(s.job(id).version.attempt == 0);
  CHECK(s.job(later).version.attempt == 0);
}

TEST_CASE("promise 12: what the bucket says about a check is its environment, whatever it is") {
  for (const FaultKind kind : {FaultKind::retryable, FaultKind::permanent, FaultKind::rejected}) {
    Stage s;
    const JobId id = asking(s);
    s.reply("bucket.is_usable", failed(kind, "bucket_refused"));
    CHECK(s.state(id) == "running");
    CHECK(s.job(id).version.attempt == 0);
    CHECK(why(s, id).code == "bucket_refused");
  }
}

TEST_CASE("promise 5: after a landing failed, no image is paid until the bucket takes one") {
  Stage s;
  const JobId paid = s.buy(4);
  s.tick();
  s.reply("images.start", whole("https://p/1", 5));
  s.reply("bucket.land", failed(FaultKind::environment, "bucket_unreachable"));
  s.bucket_is_usable = false;
  const JobId later = s.add(kImage, {.price = 4});
  s.asked();
  s.live(29'999ms);
  CHECK(s.asked().empty());
  CHECK(why(s, later).code == "bucket_unreachable");

  s.live(60s);
  s.reply("bucket.land", landed("/originals/1.png"));
  s.live(31s);

  CHECK(s.state(paid) == "completed");
  CHECK(s.intents(paid) == "paid_call done");
  CHECK(s.count("images.start") == 1);
  CHECK(s.last("bucket.is_usable").job == later);
  s.reply("bucket.is_usable", Usable{});
  CHECK(s.last("images.start").job == later);
}

TEST_CASE("a provider that asks to wait is not released by a bucket that works") {
  Stage s;
  const JobId id = s.buy(4);
  s.tick();
  Failed busy = failed(FaultKind::environment, "provider_rate_limit");
  busy.wait_ms = 90'000;
  s.bucket_is_usable = false;
  s.add(kImage, {.price = 4});
  s.tick();
  s.push(s.last("images.start"), busy);
  s.reply("bucket.is_usable", Usable{});  // Of the second image.
  CHECK(why(s, id).code == "provider_rate_limit");
  CHECK(s.count("images.start") == 2);
}

TEST_CASE("a stop while the bucket is asked ends the question, and the next worker asks anew") {
  Stage s;
  const JobId id = asking(s);
  CHECK_FALSE(s.worker().wind_down());
  CHECK(s.asked() == "bucket.stop 1");
  s.push(s.last("bucket.stop"), Stopped{});
  CHECK(s.worker().wind_down());
  s.worker().stop();

  CHECK(s.job(id).version.attempt == 0);
  CHECK(s.intents(id).empty());
  s.crash();
  s.hire();
  s.live(31s);
  CHECK(s.asked() == "bucket.is_usable 1");
}

TEST_CASE(
    "promise 3: a store that is busy when the bucket answers loses neither answer nor image") {
  for (const What& answer : {What{Usable{}}, What{kRefused}}) {
    bool busy = false;
    Stage s{{}, [&](CommitPhase phase) {
              if (phase == CommitPhase::before && std::exchange(busy, false))
                throw StoreFault{StoreFault::Kind::busy, "once"};
            }};
    const JobId id = asking(s);
    busy = true;
    s.reply("bucket.is_usable", answer);
    s.bucket_is_usable = true;
    s.live(1min);
    CHECK(s.count("images.start") == 1);
    CHECK(s.intents(id) == "paid_call open");
    CHECK(s.job(id).version.attempt == 0);
  }
}

TEST_CASE("promise 12: a bucket that does not answer for 15 min costs no attempt") {
  Stage s;
  const JobId id = asking(s);
  s.live(15min, 10s);
  CHECK(s.state(id) == "running");
  CHECK(s.job(id).reason == "no_answer");
  CHECK(s.job(id).version.attempt == 0);
  CHECK(s.intents(id).empty());
}

}  // namespace haul::testing

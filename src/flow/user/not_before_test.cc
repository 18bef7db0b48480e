#include "flow/user/not_before.h"

#include <doctest/doctest.h>

#include "flow/user/why.h"
#include "support/flow/script.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

constexpr Time kNow = from_unix_ms(1'000'000'000'000);

TEST_CASE("a job's time is a time in UTC or a duration, at most 366 days ahead") {
  CHECK(flow::read_not_before("2h", kNow) == kNow + 2h);
  CHECK(flow::read_not_before("2001-09-09T01:46:41Z", kNow) == kNow + 1s);
  CHECK(flow::read_not_before("366d", kNow) == kNow + flow::kNotBeforeMax);
  CHECK_FALSE(flow::read_not_before(to_iso(kNow + flow::kNotBeforeMax + 1ms), kNow));
  CHECK_FALSE(flow::read_not_before("367d", kNow));
  for (const char* text : {"", "tomorrow", "2h30m", "-2h", "2001-09-09T01:46:41"})
    CHECK_MESSAGE(!flow::read_not_before(text, kNow), text);
}

TEST_CASE("a job's time is in the future") {
  flow::AddRequest to_add{.lifecycle = &kBatch, .request = "{}"};
  CHECK_FALSE(flow::check_not_before(to_add, kNow));
  to_add.not_before = kNow + 1ms;
  CHECK_FALSE(flow::check_not_before(to_add, kNow));
  to_add.not_before = kNow;
  CHECK(flow::check_not_before(to_add, kNow)->code == "not_before_is_over");
}

TEST_CASE("a job begins at its time, not a millisecond before, and why names that time") {
  Stage s;
  const Time begin = s.clock.now() + 8h;
  const JobId id = s.add(kBatch, {.not_before = begin});
  s.tick();
  const auto why = flow::explain(s.store(), id, s.clock.now(), {});
  CHECK(why->code == "scheduled");
  CHECK(why->because == "it waits until " + to_iso(begin) + ", as its user asked");
  CHECK(why->next_at == begin);
  CHECK_FALSE(why->stuck);

  s.after(8h - 1ms);
  CHECK(s.state(id) == "PENDING");
  s.after(1ms);
  CHECK(s.state(id) != "PENDING");
}

TEST_CASE("a clock that is set back, and the hourly recall, hasten no job with a time") {
  Stage s;
  const Time begin = s.clock.now() + 8h;
  const JobId id = s.add(kBatch, {.not_before = begin});
  s.tick();
  s.clock.set(-24h);
  s.after(2h);
  CHECK(s.state(id) == "PENDING");
  CHECK(s.job(id).due_at == begin);
  s.clock.set(24h);
  s.after(6h - 1ms);
  CHECK(s.state(id) == "PENDING");
  s.after(1ms);
  CHECK(s.state(id) != "PENDING");
}

TEST_CASE("a pause and a resume keep a job's time") {
  Stage s;
  const Time begin = s.clock.now() + 8h;
  const JobId id = s.add(kBatch, {.not_before = begin});
  flow::pause(s.store(), id, s.clock.now());
  flow::resume(s.store(), id, s.clock.now());
  CHECK(s.job(id).due_at == begin);
  s.after(1h);
  CHECK(s.state(id) == "PENDING");
}

TEST_CASE("a job that has a time is handed to no client before it") {
  Stage s;
  const JobId id = s.add(kBook, {.not_before = s.clock.now() + 1h});
  s.tick();
  s.after(1h - 200ms);
  CHECK(flow::explain(s.store(), id, s.clock.now(), {})->code == "scheduled");
  CHECK(s.count("client.start") == 0);
  s.after(200ms);
  CHECK(s.count("client.start") == 1);
}

}  // namespace
}  // namespace haul::testing

// Workers: a beat is a counter on the worker's own row (F04, S3-6).

#include <doctest/doctest.h>

#include "support/store/bench.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

Workers& workers(Bench& b) { return b.store().workers(); }

// "name beat started+beat_at": times in seconds since Bench::kStart.
std::string shown(const auto& worker) {
  const auto seconds = [](Time at) { return std::to_string((at - Bench::kStart) / 1s); };
  return worker.name + " " + std::to_string(worker.beat) + " " + seconds(worker.started_at) + "+" +
         seconds(worker.beat_at);
}

std::string names(const auto& workers) {
  std::string text;
  for (const auto& worker : workers) text += (text.empty() ? "" : " ") + worker.name;
  return text;
}

}  // namespace

TEST_CASE("a worker enlists with beat 0; two of one name are two workers") {
  Bench b;

  const WorkerId one = workers(b).enlist("w", b.after(1s).now());
  const WorkerId two = workers(b).enlist("w", b.now());

  CHECK(one != two);
  CHECK((workers(b).find(one)->id == one));
  CHECK(shown(*workers(b).find(one)) == "w 0 1+1");
  CHECK_FALSE(workers(b).find(WorkerId{99}).has_value());
}

TEST_CASE("S3-6: each beat counts one and sets the time, on that worker only") {
  Bench b;
  const WorkerId other = workers(b).enlist("other", b.now());

  CHECK(workers(b).beat(b.worker(), b.after(5s).now()));
  CHECK(workers(b).beat(b.worker(), b.after(5s).now()));

  CHECK(shown(*workers(b).find(b.worker())) == "test 2 0+10");
  CHECK(workers(b).find(other)->beat == 0);
  CHECK_FALSE(workers(b).beat(WorkerId{99}, b.now()));
}

TEST_CASE("promise 6: a beat counts though the clock was set back") {
  Bench b;
  CHECK(workers(b).beat(b.worker(), b.now()));

  CHECK(workers(b).beat(b.worker(), b.after(-10h).now()));

  CHECK(workers(b).find(b.worker())->beat == 2);
}

TEST_CASE("the list has those that beat since then, at that instant too, oldest first") {
  Bench b;
  b.after(1s);
  workers(b).enlist("a", b.now());
  workers(b).enlist("b", b.now());
  const Time then = b.now();

  CHECK(names(workers(b).list(then - 1s, 10)) == "test a b");
  CHECK(names(workers(b).list(then, 10)) == "a b");
  CHECK(names(workers(b).list(then + 1ms, 10)).empty());
  CHECK(workers(b).beat(b.worker(), b.after(1ms).now()));
  CHECK(names(workers(b).list(then + 1ms, 10)) == "test");
  CHECK(names(workers(b).list({}, 2)) == "test a");
}

TEST_CASE("S3-8: a silent worker that still holds a job is in the list, however long ago it beat") {
  Bench b;
  const JobId id = b.reach(kRelay, "CLAIMED");
  b.after(1000h);
  CHECK(names(workers(b).list(b.now(), 10)) == "test");

  REQUIRE(b.ask(id, On::fail).has_value());
  CHECK(names(workers(b).list(b.now(), 10)).empty());
}

TEST_CASE("S3-8: a rescue looks at those that hold a job or a host's slot, and at no other") {
  Bench b;
  workers(b).enlist("idle", b.now());
  const WorkerId slot = workers(b).enlist("slot", b.now());
  CHECK(names(workers(b).holders(10)).empty());

  const JobId id = b.reach(kRelay, "CLAIMED");
  CHECK(names(workers(b).holders(10)) == "test");
  REQUIRE(b.store().limits().take("h", {}, slot, b.now()));
  CHECK(names(workers(b).holders(10)) == "test slot");
  CHECK(names(workers(b).holders(1)) == "test");

  REQUIRE(b.ask(id, On::fail).has_value());
  b.store().limits().give("h", slot);
  CHECK(names(workers(b).holders(10)).empty());
}

TEST_CASE("workers that were silent for long and hold nothing are forgotten, oldest first") {
  Bench b;
  const JobId held = b.reach(kRelay, "CLAIMED");
  workers(b).enlist("a", b.now());
  const WorkerId slot = workers(b).enlist("slot", b.now());
  REQUIRE(b.store().limits().take("h", {}, slot, b.now()));
  workers(b).enlist("b", b.now());
  const Time then = b.after(1s).now();
  workers(b).enlist("c", then);
  workers(b).enlist("newest", b.now() - 1s);
  const auto all = [&] { return names(workers(b).list({}, 10)); };

  CHECK(workers(b).prune(then, 1) == 1);
  CHECK(all() == "test slot b c newest");
  CHECK(workers(b).prune(then, 10) == 1);
  CHECK(all() == "test slot c newest");

  REQUIRE(b.ask(held, On::fail).has_value());
  b.store().limits().give("h", slot);
  CHECK(workers(b).prune(then + 1ms, 10) == 3);
  CHECK(all() == "newest");
}

// Regression tests of batches: each case was a bug.

#include <doctest/doctest.h>

#include <utility>

#include "support/flow/script.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

FoundItem item(const std::string& key, const std::string& host = "h") {
  return {.key = key, .url = "https://" + host + "/" + key};
}

JobId planned(Stage& s, Planned plan) {
  const JobId id = s.add(kBatch);
  s.tick();
  s.reply("http.plan", std::move(plan));
  return id;
}

// The first worker sleeps until the second has taken over its batch, then goes on.
JobId overslept(Stage& s) {
  const JobId id = planned(s, {.items = {item("a")}});
  s.hire().tick();
  s.clock.pass(9s);
  s.worker(1).tick();
  s.live(20s);
  return id;
}

}  // namespace

TEST_CASE("promise 3: a slot held by a worker that died more than a day ago is given back") {
  Stage s;
  planned(s, {.items = {item("a")}});
  s.crash();
  s.clock.pass(25h);
  s.hire();
  s.live(2min);
  s.reply("http.start", whole("/in/a"));
  CHECK(s.host_slots("h") == 0);
}

TEST_CASE("promise 4: a worker that overslept its lease gives its slots back") {
  Stage s;
  const JobId id = overslept(s);
  Stage::push(s.worker(1), s.last("http.start"), whole("/in/a"));
  s.live(1min);
  REQUIRE(s.state(id) == "COMPLETED");
  CHECK(s.host_slots("h") == 0);
}

TEST_CASE("F57: a worker that overslept its lease stops its transfers") {
  Stage s;
  overslept(s);
  CHECK(s.count("http.stop") == 1);
}

TEST_CASE(
    "F57: a worker that lost its lease and then stops lets go of a batch with unwritten items") {
  Stage s;
  const JobId id = planned(s, {.items = {item("a")}});
  const Call start = s.last("http.start");
  s.hire().tick();
  s.clock.pass(9s);
  s.worker(1).tick();
  const WorkerId holder = s.worker(1).id();
  REQUIRE(s.job(id).worker == holder);

  Stage::push(s.worker(0), start, whole("/in/a"));
  s.worker(0).stop();

  CHECK(s.worker(0).held() == 0);
  CHECK(s.job(id).worker == holder);
  s.live(1min);
  CHECK(s.state(id) == "RUNNING");
}

TEST_CASE("S2-12: a cancel gives every slot back, though 200 other items wait for their retry") {
  Stage s{{.host = {.at_once = 1'000, .apart = 0ms}}};
  Planned plan;
  for (int i = 0; i < 240; ++i) plan.items.push_back(item(std::to_string(i)));
  const JobId id = planned(s, plan);
  for (std::int64_t n = 1; n <= 208; ++n) {
    Call start = s.last("http.start");
    start.item = start.start = n;
    s.push(start, failed(FaultKind::retryable, "timeout"));
    if (n % 16 == 0) s.tick();
  }
  REQUIRE(s.host_slots("h") == 16);
  flow::cancel(s.store(), id, s.clock.now());
  s.after(1s);
  REQUIRE(s.state(id) == "CANCELLED");
  CHECK(s.host_slots("h") == 0);
}

TEST_CASE("S2-12: a cancel while the engine still enumerates stops the enumeration") {
  Stage s;
  const JobId id = s.add(kBatch);
  s.tick();
  flow::cancel(s.store(), id, s.clock.now());
  s.after(1s);
  REQUIRE(s.state(id) == "CANCELLED");
  CHECK(s.asked() == "http.plan 1, http.stop 1");
  CHECK(s.last("http.stop").start == s.last("http.plan").start);
}

TEST_CASE("Z-8: what a full disk let come is known to the next try") {
  Stage s;
  const JobId id = planned(s, {.items = {item("a")}});
  Failed full = failed(FaultKind::environment, "disk_full");
  full.checkpoint = R"({"part":"a.part"})";
  s.reply("http.start", full);
  REQUIRE(s.state(id) == "PENDING");
  CHECK(s.store().items().list(id, "", 0, 1).at(0).checkpoint == full.checkpoint);
}

TEST_CASE("F25: a job that waits for a disk says which and why, and burns no attempt") {
  Stage s;
  const JobId id = planned(s, {.items = {item("a")}});
  Failed full = failed(FaultKind::environment, "disk_full");
  full.fault.detail = "the disk of /srv has 900 MiB free";
  s.reply("http.start", full);

  CHECK(s.state(id) == "PENDING");
  CHECK(s.job(id).detail == "the disk of /srv has 900 MiB free");
  CHECK(s.job(id).version.attempt == 0);
  CHECK(s.store().items().list(id, "", 0, 1).at(0).attempt == 0);
}

TEST_CASE(
    "F25: a full disk stops no other item of the job; it is tried again when they have ended") {
  Stage s{{.host = {.at_once = 2, .apart = 0ms}}};
  const JobId id = planned(s, {.items = {item("a"), item("b"), item("c")}});
  s.tick();
  REQUIRE(s.count("http.start") == 2);
  const Call second = s.last("http.start");
  s.push(second, failed(FaultKind::environment, "disk_full"));
  s.live(29s);
  CHECK(s.state(id) == "RUNNING");
  CHECK(s.count("http.stop") == 0);
  CHECK(s.count("http.start") == 2);  // None of the others is tried meanwhile,

  s.live(2s);
  CHECK(s.count("http.start") == 3);  // but when it is time one is.

  s.push(s.last("http.start"), failed(FaultKind::environment, "disk_full"));
  s.tick();
  Call first = second;
  first.item = first.start = 1;
  s.push(first, failed(FaultKind::environment, "disk_full"));
  s.tick();
  CHECK(s.state(id) == "PENDING");
  CHECK(s.job(id).reason == "disk_full");
  s.after(1s);
  CHECK(s.host_slots("h") == 0);
  for (const Item& each : s.store().items().list(id, "", 0, 10)) CHECK(each.attempt == 0);
}

TEST_CASE("Z-10: an enumeration that fails half-way ends with nothing left at work") {
  Stage s;
  const JobId id = planned(s, {.items = {item("a")}, .complete = false});
  s.reply("http.plan", failed(FaultKind::permanent, "gone"));
  s.reply("http.start", whole("/in/a"));
  REQUIRE(s.state(id) == "FAILED");
  CHECK(s.host_slots("h") == 0);
}

TEST_CASE("Z-10: items that had to wait start while the enumeration goes on") {
  Stage s;
  planned(s, {.items = {item("a"), item("b")}, .complete = false});
  s.live(1min);
  CHECK(s.count("http.start") == 2);
}

TEST_CASE("Z-10: an enumeration whose last part is empty is complete") {
  Stage s;
  const JobId id = planned(s, {.items = {item("a")}, .complete = false});
  s.reply("http.plan", Planned{});
  s.live(20s);
  CHECK(s.trail(id) == "PENDING > RUNNING");
}

TEST_CASE("J17: a plan of 4,001 items is taken") {
  Stage s;
  Planned plan;
  for (int i = 0; i < 4'001; ++i) plan.items.push_back(item(std::to_string(i)));
  const JobId id = planned(s, plan);
  CHECK(s.store().items().counts(id).total == 4'001);
}

TEST_CASE("S2-7: an item whose size is known is not COMPLETED by a file of another size") {
  Stage s;
  const JobId id = planned(s, {.items = {{.key = "a", .url = "https://h/a", .size = 100}}});
  s.reply("http.start", whole("/in/a", 99));
  CHECK(s.items(id) != "COMPLETED");
}

TEST_CASE("S2-7: an item is not COMPLETED by a file that was not seen in its place") {
  Stage s;
  const JobId id = planned(s, {.items = {item("a")}});
  s.reply("http.start",
          haul::Finished{.path = "/in/a", .size = 1, .in_place = false, .evidence = "{}"});
  CHECK(s.items(id) != "COMPLETED");
}

TEST_CASE("promise 16: an item whose evidence is refused is not fetched for ever") {
  Stage s;
  planned(s, {.items = {item("a")}});
  for (int i = 0; i < 50; ++i) {
    s.reply("http.start", haul::Finished{.path = "/in/a", .size = 1, .evidence = ""});
    s.live(40s, 10s);
  }
  CHECK(s.count("http.start") <= 5);
}

TEST_CASE("Z-11: a try that moved the resume point forward starts the count again") {
  Stage s;
  const JobId id = planned(s, {.items = {item("a")}});
  for (int i = 1; i <= 6; ++i) {
    s.reply("http.start", Moving{.have = i * 1'000'000});
    s.reply("http.start", failed(FaultKind::retryable, "timeout"));
    s.live(40s, 10s);
  }
  CHECK(s.items(id) == "DOWNLOADING");
}

TEST_CASE("Z-8: a retried batch fetches the failed items and no others") {
  Stage s;
  const JobId old = planned(s, {.items = {item("a", "h1"), item("b", "h2")}});
  s.reply("http.start", failed(FaultKind::permanent, "http_404"));
  Call first = s.last("http.start");
  first.item = first.start = 1;
  s.push(first, whole("/in/a"));
  s.tick();
  REQUIRE(flow::retry(s.store(), old, s.clock.now()).has_value());
  s.live(2s);
  if (s.count("http.plan") == 2)
    s.reply("http.plan", Planned{.items = {item("a", "h1"), item("b", "h2")}});
  s.live(5s);
  CHECK(s.count("http.start") == 3);
}

TEST_CASE("a batch that names no address is refused") {
  Stage s;
  CHECK_FALSE(
      flow::add(s.store(), {.lifecycle = &kBatch, .request = "{}"}, s.clock.now()).has_value());
}

}  // namespace haul::testing

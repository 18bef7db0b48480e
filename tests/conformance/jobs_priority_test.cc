// Priorities: which of an owner's jobs in a lane is claimed first, and what that does not change.

#include <doctest/doctest.h>

#include "support/store/bench.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

struct Ranked {
  Bench b;
  UserId ann = b.store().users().add("ann", Role::adder, b.now()).value().id;
  UserId ben = b.store().users().add("ben", Role::adder, b.now()).value().id;
  int added = 0;

  JobId add(UserId owner, int priority, Millis due_in = 0ms, const std::string& lane = "h") {
    return b
        .add({.lifecycle = &kBatch,
              .owner = owner,
              .request = request_for(kBatch, ++added),
              .lane = lane,
              .due_at = b.now() + due_in,
              .priority = priority})
        .value()
        .id;
  }
  std::string claim(std::size_t limit) {
    std::string text;
    const ClaimRequest request{
        .lifecycle = &kBatch, .lane = "h", .worker = b.worker(), .limit = limit};
    for (const Claim& claim : b.jobs().claim(request, b.now()))
      text += (text.empty() ? "" : " ") + std::to_string(claim.version.id.value);
    return text;
  }
};

}  // namespace

TEST_CASE("of one owner's due jobs the higher priority is claimed first, then the longest due") {
  Ranked r;
  r.add(r.ann, 0);   // 1
  r.add(r.ann, -1);  // 2
  r.add(r.ann, 1);   // 3
  r.add(r.ann, 0);   // 4
  r.add(r.ann, 1);   // 5
  r.b.after(1ms);

  CHECK(r.claim(1) == "3");
  CHECK(r.claim(3) == "5 1 4");
  CHECK(r.claim(9) == "2");
}

TEST_CASE("a high priority makes no job due: it is claimed at its time, not 1 ms before") {
  Ranked r;
  r.add(r.ann, 1, 1s);  // 1
  r.add(r.ann, -1);     // 2
  CHECK(r.claim(9) == "2");
  r.b.after(999ms);
  CHECK(r.claim(9).empty());
  r.b.after(1ms);
  CHECK(r.claim(9) == "1");
}

TEST_CASE("F08: priorities of one owner take no turn from another owner") {
  Ranked r;
  for (int i = 0; i < 4; ++i) r.add(r.ann, 1);  // 1 to 4
  r.add(r.ben, -1);                             // 5
  r.add(r.ben, 0);                              // 6

  std::string order;
  for (int i = 0; i < 6; ++i) order += r.claim(1) + " ";

  CHECK(order == "1 6 2 5 3 4 ");
}

TEST_CASE("lanes, the next due time and due jobs are found at every priority") {
  for (const int priority : {-1, 0, 1}) {
    CAPTURE(priority);
    Ranked r;
    r.add(r.ann, priority, 2s);
    r.add(r.ann, priority, 1s, "i");
    CHECK(r.b.reader().next_due() == r.b.now() + 1s);
    r.b.after(1s);
    CHECK(r.b.reader().lanes("", r.b.now(), 9).lanes == std::vector<std::string>{"i"});
    CHECK(r.b.reader().due("i", r.b.now(), 9).size() == 1);
    CHECK(r.b.reader().due("h", r.b.now(), 9).empty());
  }
  Ranked r;
  r.add(r.ann, 1, 3s);
  r.add(r.ann, 0, 2s);
  r.add(r.ann, -1, 1s);
  CHECK(r.b.reader().next_due() == r.b.now() + 1s);
}

TEST_CASE("a recall reaches jobs of every priority") {
  for (const int priority : {-1, 0, 1}) {
    Bench b;
    const JobId id =
        b.add({.lifecycle = &kBatch, .request = request_for(kBatch), .priority = priority})
            .value()
            .id;
    const Observation later{.version = b.version(id), .due_at = b.now() + 24h};
    REQUIRE(b.jobs().observe({&later, 1}, b.now()).front());
    CHECK(b.jobs().recall(b.now() + kWaitMax, b.now()) == 1);
    CHECK(b.job(id).due_at == b.now());
  }
}

TEST_CASE("the priority of an open job changes, also while a worker holds it") {
  Bench b;
  const JobId id = b.add(kBatch);
  REQUIRE(b.jobs().set_priority(id, 1, b.now()));
  CHECK(b.job(id).priority == 1);
  CHECK(b.event_types(id).ends_with(" PRIORITY_SET"));
  b.claim(kBatch);
  REQUIRE(b.jobs().set_priority(id, -1, b.now()));
  CHECK(b.job(id).priority == -1);
  const std::string before = b.event_types(id);
  REQUIRE(b.jobs().set_priority(id, -1, b.now()));
  CHECK(b.event_types(id) == before);
}

TEST_CASE("a priority out of range, and that of an ended or unknown job, is refused") {
  Bench b;
  const JobId id = b.add(kBatch);
  for (const int priority : {-2, 2}) {
    CHECK(b.jobs().set_priority(id, priority, b.now()).error().code == "bad_priority");
    CHECK(b.add({.lifecycle = &kBatch, .request = request_for(kBatch, 2), .priority = priority})
              .error()
              .code == "bad_priority");
  }
  const JobId ended = b.reach(kBatch, "COMPLETED");
  CHECK(b.jobs().set_priority(ended, 1, b.now()).error().code == "ended");
  CHECK(b.jobs().set_priority(JobId{99}, 1, b.now()).error().code == "no_such_job");
}

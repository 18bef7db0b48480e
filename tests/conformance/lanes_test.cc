// Lanes: which jobs are claimed from them, in which order, and how due lanes are found (design: the
// store).

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>

#include "support/store/bench.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

std::string ids(const std::vector<Claim>& claims) {
  std::string text;
  for (const Claim& claim : claims)
    text += (text.empty() ? "" : " ") + std::to_string(claim.version.id.value);
  return text;
}

struct Lanes {
  Bench b;
  UserId ann = b.store().users().add("ann", Role::adder, b.now()).value().id;
  UserId ben = b.store().users().add("ben", Role::adder, b.now()).value().id;
  UserId cat = b.store().users().add("cat", Role::adder, b.now()).value().id;
  int added = 0;

  JobId add(UserId owner, const std::string& lane = "h", Millis due_in = 0ms) {
    return b
        .add({.lifecycle = &kBatch,
              .owner = owner,
              .request = request_for(kBatch, ++added),
              .lane = lane,
              .due_at = b.now() + due_in})
        .value()
        .id;
  }
  ClaimRequest ask(std::size_t limit, std::size_t at_once = 0,
                   const std::string& lane = "h") const {
    return {.lifecycle = &kBatch,
            .lane = lane,
            .worker = b.worker(),
            .limit = limit,
            .at_once = at_once};
  }
  std::string claim(std::size_t limit, std::size_t at_once = 0) {
    return ids(b.jobs().claim(ask(limit, at_once), b.now()));
  }
  // The due lanes after `after`, and where to continue: "a b, next c".
  std::string due(const std::string& after, std::size_t limit, Millis in = 0ms) {
    const LanePage page = b.reader().lanes(after, b.now() + in, limit);
    std::string text;
    for (const std::string& lane : page.lanes) text += (text.empty() ? "" : " ") + lane;
    return text + ", next " + page.next;
  }
};

}  // namespace

TEST_CASE("F08: owners take turns within a lane, one job each, however many one of them has") {
  Lanes l;
  for (int i = 0; i < 50; ++i) l.add(l.ann);  // 1 to 50
  for (int i = 0; i < 3; ++i) l.add(l.ben);   // 51 to 53
  l.add(l.cat);                               // 54

  std::string order;
  for (int i = 0; i < 8; ++i) order += l.claim(1) + " ";

  CHECK(order == "1 51 54 2 52 3 53 4 ");
}

TEST_CASE("F08: the turns of owners go on where the last claim ended, also two at a time") {
  Lanes l;
  for (const UserId owner : {l.ann, l.ben, l.cat})
    for (int i = 0; i < 2; ++i) l.add(owner);  // 1 2, 3 4, 5 6

  CHECK(l.claim(2) == "1 3");
  CHECK(l.claim(2) == "5 2");
  CHECK(l.claim(2) == "4 6");
  CHECK(l.claim(2).empty());
}

TEST_CASE("F08: a large claim is shared between the owners, and leaves nothing that is due") {
  Lanes l;
  for (int i = 0; i < 100; ++i) l.add(l.ann);
  for (int i = 0; i < 100; ++i) l.add(l.ben);
  l.add(l.cat);

  std::size_t of_ann = 0;
  const auto claims = l.b.jobs().claim(l.ask(80), l.b.now());
  for (const Claim& claim : claims) of_ann += l.b.job(claim.version.id).owner == l.ann ? 1 : 0;

  CHECK(claims.size() == 80);
  CHECK(of_ann >= 30);
  CHECK(of_ann <= 49);
  CHECK(l.b.jobs().claim(l.ask(1000), l.b.now()).size() == 121);
}

TEST_CASE("F08: an owner whose jobs are not due yet keeps no turn from the others") {
  Lanes l;
  l.add(l.ann, "h", 1ms);  // 1
  l.add(l.ben);            // 2
  l.add(l.cat, "h", 1ms);  // 3

  CHECK(l.claim(9) == "2");
  l.b.after(1ms);
  CHECK(l.claim(9) == "3 1");
}

TEST_CASE("at most so many jobs of a lane are leased at once, over all workers") {
  Lanes l;
  for (int i = 0; i < 5; ++i) l.add(l.ann);
  l.add(l.ann, "other");
  const WorkerId second = l.b.store().workers().enlist("second", l.b.now());
  ClaimRequest theirs = l.ask(9, 2);
  theirs.worker = second;

  CHECK(l.claim(1, 2) == "1");
  CHECK(ids(l.b.jobs().claim(theirs, l.b.now())) == "2");
  CHECK(l.claim(9, 2).empty());
  CHECK(l.b.reader().running("h") == 2);
  CHECK(l.b.reader().running("other") == 0);

  REQUIRE(l.b.ask(JobId{1}, On::done).has_value());
  CHECK(l.claim(9, 2) == "3");
  CHECK(l.claim(9, 3) == "4");
}

TEST_CASE("Z-11: a host that asked to be left alone is not claimed from, until its time is over") {
  Lanes l;
  l.add(l.ann);
  l.b.store().limits().block("h", l.b.now() + 60s, l.b.now());

  CHECK(l.claim(1, 2).empty());
  l.b.after(59'999ms);
  CHECK(l.claim(1, 2).empty());
  l.b.after(1ms);
  CHECK(l.claim(1, 2) == "1");
}

TEST_CASE("promise 6: a block from before the clock was set back does not close the lane") {
  Lanes l;
  l.add(l.ann, "h", -1h);
  l.b.store().limits().block("h", l.b.now() + 60s, l.b.now());

  CHECK(ids(l.b.jobs().claim(l.ask(1, 2), l.b.now() - 30min)) == "1");
}

TEST_CASE("many lanes are claimed from in one call; 4,000 jobs in all are the most") {
  Lanes l;
  l.add(l.ann, "a");
  l.add(l.ann, "b");
  l.add(l.ann, "c");

  CHECK(ids(l.b.jobs().claim_all(std::vector{l.ask(5, 2, "c"), l.ask(5, 2, "a")}, l.b.now())) ==
        "3 1");
  CHECK_THROWS_AS(
      l.b.jobs().claim_all(std::vector{l.ask(4'000, 0, "a"), l.ask(1, 0, "b")}, l.b.now()),
      StoreFault);
}

TEST_CASE("add_and_claim: each lane of what is added is claimed from, as far as it has room") {
  Lanes l;
  l.add(l.ann, "full");  // 1
  l.add(l.ann, "full");  // 2
  REQUIRE(ids(l.b.jobs().claim(l.ask(2, 2, "full"), l.b.now())) == "1 2");
  l.add(l.ann, "elsewhere");  // 3: due, but no job is added to this lane.
  std::vector<NewJob> jobs;
  for (const char* lane : {"full", "x", "y", "x", "x"})  // 4 to 8
    jobs.push_back({.lifecycle = &kBatch, .request = request_for(kBatch), .lane = lane});
  jobs[2].paused = true;

  const auto both = l.b.jobs().add_and_claim(jobs, l.ask(10, 2), l.b.now());

  CHECK(both.added.size() == 5);
  CHECK(ids(both.claimed) == "5 7");
}

TEST_CASE("lanes: a look goes round from where the last one ended, and says where to go on") {
  Lanes l;
  CHECK(l.due("", 10) == ", next ");
  for (const char* lane : {"b", "a", "d", "a", "c"}) l.add(l.ann, lane);
  l.add(l.ben, "a");
  l.add(l.ann, "later", 1ms);

  CHECK(l.due("", 10) == "a b c d, next ");
  CHECK(l.due("", 2) == "a b, next b");
  CHECK(l.due("b", 2) == "c d, next d");
  CHECK(l.due("d", 3) == "a b c, next c");
  CHECK(l.due("c", 10) == "d a b c, next ");
  CHECK(l.due("c", 10, 1ms) == "d later a b c, next ");
  CHECK(l.due("between", 10) == "c d a b, next ");
}

TEST_CASE("lanes: one is due if any of its owners has something due") {
  Lanes l;
  l.add(l.ann, "h", 1ms);
  l.add(l.ben, "h", 2ms);
  l.add(l.cat, "h");

  CHECK(l.due("", 10) == "h, next ");
  CHECK(l.claim(9) == "3");
  CHECK(l.due("", 10) == ", next ");
  CHECK((l.b.reader().next_due() == l.b.now() + 1ms));
}

TEST_CASE("lanes: a look is bounded, and thousands of lanes with nothing due are all passed") {
  Lanes l;
  std::vector<NewJob> jobs;
  for (int i = 0; i < 2'500; ++i)
    jobs.push_back({.lifecycle = &kBatch,
                    .request = request_for(kBatch),
                    .lane = fmt::format("w{:05}", i),
                    .due_at = l.b.now() + 1h});
  l.b.jobs().add(jobs, l.b.now());
  l.add(l.ann, "z");

  std::string after;
  int looks = 0;
  LanePage page;
  do {
    page = l.b.reader().lanes(after, l.b.now(), 10);
    after = page.next;
    ++looks;
  } while (std::ranges::find(page.lanes, "z") == page.lanes.end() && looks < 10);

  CHECK(looks == 3);
}

TEST_CASE("S0-20: due gives the longest due first, over all owners of the lane") {
  Lanes l;
  l.add(l.ann, "h", -1s);  // 1
  l.add(l.ben, "h", -3s);  // 2
  l.add(l.cat, "h", -2s);  // 3
  l.add(l.ben, "h", -4s);  // 4

  std::string order;
  for (const Job& job : l.b.reader().due("h", l.b.now(), 3))
    order += std::to_string(job.version.id.value) + " ";

  CHECK(order == "4 2 3 ");
}

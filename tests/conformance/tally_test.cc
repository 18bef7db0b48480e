// The tally of jobs in each state always equals a count over all jobs.

#include <doctest/doctest.h>

#include "base/random.h"
#include "support/store/bench.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

// "book.queued 2, relay.QUEUED 1".
std::string tally(Bench& b, UserId owner = {}) {
  std::string text;
  for (const StateCount& count : b.reader().tally(owner))
    text += (text.empty() ? "" : ", ") + std::string{count.lifecycle->name} + "." +
            std::string{count.state} + " " + std::to_string(count.jobs);
  return text;
}

// The same, counted from a list of all jobs.
std::string counted(Bench& b) {
  std::string text;
  const std::vector<Job> jobs = b.reader().list({.limit = kListMax}).jobs;
  for (const Lifecycle* table : all_lifecycles())
    for (const State& state : table->states) {
      const auto n = std::ranges::count_if(jobs, [&](const Job& job) {
        return job.version.lifecycle == table && job.version.state == state.name;
      });
      if (n > 0)
        text += (text.empty() ? "" : ", ") + std::string{table->name} + "." +
                std::string{state.name} + " " + std::to_string(n);
    }
  return text;
}

}  // namespace

TEST_CASE("the tally of an empty store is empty, and of one job is one") {
  Bench b;
  CHECK(tally(b).empty());
  b.add(kBook);
  CHECK(tally(b) == "book.queued 1");
  b.add(kBook);
  CHECK(tally(b) == "book.queued 2");
}

TEST_CASE("the tally of an owner is of that owner's jobs alone, and follows them") {
  Bench b;
  const UserId ours = b.store().users().add("ours", Role::adder, b.now()).value().id;
  const UserId theirs = b.store().users().add("theirs", Role::adder, b.now()).value().id;
  CHECK(tally(b, ours).empty());
  const auto add = [&](UserId owner) {
    return b.add({.lifecycle = &kBatch, .owner = owner, .request = request_for(kBatch)}).value().id;
  };
  const JobId first = add(ours);
  add(theirs);
  CHECK(tally(b, ours) == "batch.PENDING 1");
  add(ours);
  add(theirs);
  REQUIRE(b.ask(first, On::cancel).has_value());
  CHECK(tally(b, ours) == "batch.PENDING 1, batch.CANCELLED 1");
  CHECK(tally(b, theirs) == "batch.PENDING 2");
  CHECK(tally(b) == "batch.PENDING 3, batch.CANCELLED 1");
}

TEST_CASE("F14: more owners than are kept are counted all the same") {
  Bench b;
  for (int i = 0; i < 300; ++i) {
    const UserId owner =
        b.store().users().add("user" + std::to_string(i), Role::adder, b.now()).value().id;
    REQUIRE(b.add({.lifecycle = &kBatch, .owner = owner, .request = request_for(kBatch)}));
    CHECK(tally(b, owner) == "batch.PENDING 1");
    CHECK(tally(b, owner) == "batch.PENDING 1");
  }
}

TEST_CASE("the tally follows adds, moves, ends and retries, each seen at once") {
  Bench b;
  const JobId film = b.add(kMedia);
  b.add(kRelay);
  CHECK(tally(b) == "media.queued 1, relay.QUEUED 1");

  REQUIRE(b.ask(film, On::started).has_value());
  CHECK(tally(b) == "media.downloading 1, relay.QUEUED 1");
  REQUIRE(b.ask(film, On::fail).has_value());
  CHECK(tally(b) == "media.failed 1, relay.QUEUED 1");
  REQUIRE(b.ask(film, On::retry).has_value());
  CHECK(tally(b) == "media.queued 1, relay.QUEUED 1");
}

TEST_CASE("a job that was added and moved between two looks is counted where it is") {
  Bench b;
  b.add(kBook);
  REQUIRE(tally(b) == "book.queued 1");

  b.reach(kRelay, "DELIVERED");
  b.reach(kMedia, "cleaned");

  CHECK(tally(b) == counted(b));
}

TEST_CASE("notes beside the moves, pauses and observations change no tally") {
  Bench b;
  const JobId id = b.add(kBatch);
  const std::string before = tally(b);

  REQUIRE(b.store().events().note(id, "LOG", "{}", b.now()));
  REQUIRE(b.jobs().pause(b.version(id), b.now()).has_value());

  CHECK(tally(b) == before);
}

TEST_CASE("a lost worker's jobs are counted where the rescue put them") {
  Bench b;
  b.reach(kRelay, "CLAIMED");
  b.reach(kImage, "running");
  REQUIRE(tally(b) == counted(b));

  for (const Lifecycle* table : {&kRelay, &kImage})
    b.jobs().rescue({.worker = b.worker(), .beat = 0, .lifecycle = table}, {}, b.now());

  CHECK(tally(b) == counted(b));
}

TEST_CASE("events that were pruned before the first look do not spoil the tally") {
  Bench b;
  b.add(kBook);
  REQUIRE(tally(b) == "book.queued 1");
  b.reach(kBook, "failed");
  b.reach(kBook, "completed");
  b.after(1h);

  CHECK(b.store().events().prune(b.now(), {}, 4'000).removed > 0);

  CHECK(tally(b) == "book.queued 1, book.completed 1, book.failed 1");
}

TEST_CASE("whatever happens between two looks, the tally is the count of all") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    SeededRandom random{seed};
    Bench b;
    for (int step = 0; step < 60; ++step) {
      const Lifecycle* table = all_lifecycles()[random.below(all_lifecycles().size())];
      if (table != &kItem && b.reader().list({.limit = kListMax}).jobs.size() < 30)
        b.reach(*table, table->states[random.below(table->states.size())].name);
      if (random.one_in(4)) b.store().events().prune(b.after(1s).now(), {}, random.below(20));
      if (random.one_in(3)) CHECK(tally(b) == counted(b));
    }
  }
}

// A worker that has lost its lease and does not know it: the store refuses all its writes
// (promise 4, F03).

#include <doctest/doctest.h>

#include "support/store/bench.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

// What happened to the job without the zombie's knowledge.
enum class Since : std::uint8_t { released, rescued, taken_by_another, taken_again };

constexpr Since kAll[] = {Since::released, Since::rescued, Since::taken_by_another,
                          Since::taken_again};

// A job, and a lease on it that is no longer valid.
struct Zombie {
  JobId id;
  JobVersion version;
  WorkerId worker;
  Hold hold;
};

void rescue(Bench& b, const Lifecycle& table) {
  const Silence silence{.worker = b.worker(), .beat = 0, .lifecycle = &table};
  const Rescued done = b.jobs().rescue(silence, {}, b.now());
  REQUIRE(done.moved + done.adopted == 1);
}

void release(Bench& b, JobId id) {
  const Release back{.version = b.version(id), .worker = b.worker()};
  REQUIRE(b.jobs().release({&back, 1}, b.now())[0].has_value());
}

void take(Bench& b, const Lifecycle& table, WorkerId worker) {
  const auto claims = b.jobs().claim({.lifecycle = &table, .worker = worker, .limit = 1}, b.now());
  REQUIRE(claims.size() == 1);
}

Zombie outlive(Bench& b, JobId id, Since since) {
  const Zombie zombie{id, b.version(id), b.worker(), b.hold(id)};
  const Lifecycle& table = *zombie.version.lifecycle;
  if (since == Since::released)
    release(b, id);
  else
    rescue(b, table);
  const bool waits = table.name == "image" && since != Since::released;
  if (waits && since != Since::rescued) REQUIRE(b.ask(id, On::requeue).has_value());
  if (since == Since::taken_by_another)
    take(b, table, b.store().workers().enlist("other", b.now()));
  if (since == Since::taken_again) take(b, table, b.worker());
  return zombie;
}

struct Rows {
  Job job;
  std::vector<Event> events;
  std::vector<Item> items;
  std::vector<Intent> intents;
  std::vector<ManifestEntry> files;

  bool operator==(const Rows&) const = default;
};

Rows rows(Bench& b, JobId id) {
  return {b.job(id), b.store().events().of(id, {}, 1000), b.store().items().list(id, "", 0, 1000),
          b.store().intents().of(id, 1000), b.store().manifest().of(id, 1000)};
}

}  // namespace

TEST_CASE(
    "F03: after release, rescue or re-claim no move, observation or release of the old lease") {
  for (const Lifecycle* table : {&kMedia, &kBatch, &kRelay, &kImage})
    for (const State& state : table->states) {
      if (!state.is_leased()) continue;
      for (const Since since : kAll) {
        Bench b;
        const JobId id = b.reach(*table, state.name);
        std::vector<Ask> asks;
        for (const Move& move : table->moves)
          if (move.from.contains(state.name) && move.by == By::worker)
            asks.push_back(b.draft(id, move.on));
        const Zombie z = outlive(b, id, since);
        const Rows before = rows(b, id);

        CAPTURE(table->name);
        CAPTURE(state.name);
        for (const Ask& ask : asks) {
          const MoveAnswer answer = b.ask(ask);
          CAPTURE(name(ask.on));
          REQUIRE_FALSE(answer.has_value());
          CHECK(answer.error().code == "stale");
        }
        const Observation seen{.version = z.version, .worker = z.worker, .handle = "late"};
        CHECK_FALSE(b.jobs().observe({&seen, 1}, b.now())[0]);
        const Release back{.version = z.version, .worker = z.worker};
        CHECK(b.jobs().release({&back, 1}, b.now())[0].error().code == "stale");
        CHECK((rows(b, id) == before));
      }
    }
}

TEST_CASE("F03: after release, rescue or re-claim no item is added, moved or observed") {
  for (const Since since : kAll) {
    Bench b;
    const JobId id = b.reach(kBatch, "RUNNING");
    const NewItem first{.key = "1", .url = "u"};
    REQUIRE(b.store().items().add(b.hold(id), {&first, 1}, Enumeration::goes_on, b.now()));
    const Zombie z = outlive(b, id, since);
    const Rows before = rows(b, id);

    const NewItem more{.key = "2", .url = "u"};
    const auto added = b.store().items().add(z.hold, {&more, 1}, Enumeration::complete, b.now());
    CHECK(added.error().code == "not_leased");
    const std::vector<ItemMove> asks(2, {.n = 1, .from = "PENDING", .on = On::start});
    const auto moved = b.store().items().move(z.hold, asks, b.now());
    REQUIRE(moved.size() == 2);
    CHECK(moved[0].error().code == "not_leased");
    CHECK(moved[1].error().kind == RefusalKind::stale);
    const ItemObservation seen{.n = 1, .have = 5};
    CHECK_FALSE(b.store().items().observe(z.hold, {&seen, 1}, b.now()));

    CHECK((rows(b, id) == before));
    CHECK((b.store().items().counts(id) == Counts{.total = 1}));
  }
}

TEST_CASE("F03: after release, rescue or re-claim no intent is begun, no file listed or settled") {
  for (const Since since : kAll) {
    Bench b;
    const JobId id = b.reach(kMedia, "imported");
    const ManifestEntry first{.root = "/in", .path = "a"};
    REQUIRE(b.store().manifest().list(b.hold(id), {&first, 1}).has_value());
    const FileId file = b.store().manifest().of(id, 1).front().id;
    const Zombie z = outlive(b, id, since);
    const Rows before = rows(b, id);

    const auto begun = b.store().intents().begin(z.hold, {.kind = "delete"}, b.now());
    CHECK(begun.error().code == "not_leased");
    const ManifestEntry more{.root = "/in", .path = "b"};
    CHECK(b.store().manifest().list(z.hold, {&more, 1}).error().code == "not_leased");
    CHECK_FALSE(b.store().manifest().settle(z.hold, file, Removal::deleted, b.now()));

    CHECK((rows(b, id) == before));
  }
}

TEST_CASE(
    "F03, J31: a hold with the right fence and another worker, or another fence, holds nothing") {
  Bench b;
  const JobId id = b.reach(kBatch, "RUNNING");
  const Hold good = b.hold(id);
  const WorkerId other = b.store().workers().enlist("other", b.now());
  const Hold bad[] = {{id, other, good.fence},
                      {id, good.worker, good.fence - 1},
                      {id, good.worker, good.fence + 1},
                      {id, {}, good.fence},
                      {JobId{99}, good.worker, good.fence}};

  for (const Hold& hold : bad) {
    CHECK_FALSE(b.store().items().add(hold, {}, Enumeration::complete, b.now()).has_value());
    CHECK_FALSE(b.store().items().observe(hold, {}, b.now()));
    CHECK_FALSE(b.store().intents().begin(hold, {.kind = "send"}, b.now()).has_value());
    CHECK_FALSE(b.store().manifest().list(hold, {}).has_value());
  }

  CHECK(b.store().items().add(good, {}, Enumeration::complete, b.now()).has_value());
}

TEST_CASE("F03: a hold on a job without a lease holds nothing, not even by naming no worker") {
  Bench b;
  const JobId id = b.add(kBatch);

  const Hold no_holder{id, {}, 0};
  CHECK_FALSE(b.store().items().add(no_holder, {}, Enumeration::complete, b.now()).has_value());
  CHECK_FALSE(b.store().items().observe(no_holder, {}, b.now()));
  CHECK_FALSE(b.store().intents().begin(no_holder, {.kind = "send"}, b.now()).has_value());
  CHECK_FALSE(b.store().manifest().list(no_holder, {}).has_value());
}

TEST_CASE("F03: an ended job takes no write of the lease it had") {
  Bench b;
  const JobId id = b.reach(kBatch, "RUNNING");
  const Hold hold = b.hold(id);
  REQUIRE(b.ask(id, On::cancel).has_value());

  const NewItem item{.key = "1", .url = "u"};
  CHECK_FALSE(b.store().items().add(hold, {&item, 1}, Enumeration::complete, b.now()).has_value());
  CHECK_FALSE(b.store().intents().begin(hold, {.kind = "send"}, b.now()).has_value());
}

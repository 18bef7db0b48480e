// Jobs::claim: which worker gets which job, in which order, and what a claim changes in the row.

#include <doctest/doctest.h>

#include "support/store/bench.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

std::vector<Claim> claim(Bench& b, const Lifecycle& table, std::size_t limit = 100,
                         const std::string& lane = "") {
  return b.jobs().claim({.lifecycle = &table, .lane = lane, .worker = b.worker(), .limit = limit},
                        b.now());
}

// The claimed ids, in order: "3 1 2".
std::string ids(const std::vector<Claim>& claims) {
  std::string text;
  for (const Claim& c : claims)
    text += (text.empty() ? "" : " ") + std::to_string(c.version.id.value);
  return text;
}

JobId add_due(Bench& b, const Lifecycle& table, Time due_at, const std::string& lane = "") {
  const NewJob job{
      .lifecycle = &table, .request = request_for(table), .lane = lane, .due_at = due_at};
  return b.add(job).value().id;
}

Release release_of(Bench& b, JobId id) {
  return {.version = b.version(id), .worker = b.job(id).worker};
}

}  // namespace

TEST_CASE(
    "S3-2: a claim moves a job into its leased state, names the worker, and counts the fence") {
  struct Case {
    const Lifecycle* table;
    const char* state;
    bool starts;
  };
  for (const auto& [table, state, starts] :
       {Case{&kBatch, "RUNNING", true}, {&kRelay, "CLAIMED", false}, {&kImage, "running", true}}) {
    Bench b;
    const JobId id = b.add(*table);

    const auto claims = claim(b.after(3s), *table);

    CAPTURE(table->name);
    REQUIRE(claims.size() == 1);
    CHECK((claims[0] == Claim{.version = {id, table, state, 1, 1, 0}}));
    const Job job = b.job(id);
    CHECK((job.version == claims[0].version));
    CHECK((job.worker == b.worker()));
    CHECK((job.moved_at == b.now()));
    CHECK((job.started_at == (starts ? std::optional{b.now()} : std::nullopt)));
  }
}

TEST_CASE("the longest due is claimed first, whatever order jobs were added in") {
  Bench b;
  add_due(b, kRelay, b.now() - 1s);
  add_due(b, kRelay, b.now() - 3s);
  add_due(b, kRelay, b.now());
  add_due(b, kRelay, b.now() - 2s);

  CHECK(ids(claim(b, kRelay, 3)) == "2 4 1");
  CHECK(ids(claim(b, kRelay, 3)) == "3");
}

TEST_CASE("jobs due at the same instant are claimed in the order they were added") {
  Bench b;
  for (int i = 0; i < 5; ++i) add_due(b, kRelay, b.now());

  CHECK(ids(claim(b, kRelay)) == "1 2 3 4 5");
}

TEST_CASE("a job is claimed when it is due, not 1 ms before") {
  Bench b;
  add_due(b, kRelay, b.now() + 1ms);

  CHECK(claim(b, kRelay).empty());
  CHECK(ids(claim(b.after(1ms), kRelay)) == "1");
}

TEST_CASE("a claim takes at most its limit: none, one, all there are") {
  Bench b;
  for (int i = 0; i < 3; ++i) add_due(b, kRelay, b.now());

  CHECK(ids(claim(b, kRelay, 0)).empty());
  CHECK(ids(claim(b, kRelay, 1)) == "1");
  CHECK(ids(claim(b, kRelay, 4000)) == "2 3");
  CHECK(ids(claim(b, kRelay, 1)).empty());
}

TEST_CASE("promise 17: a claim of more than 4,000 is refused, and takes nothing") {
  Bench b;
  add_due(b, kRelay, b.now());

  CHECK_THROWS_AS(claim(b, kRelay, 4001), StoreFault);
  CHECK(ids(claim(b, kRelay, 4000)) == "1");
}

TEST_CASE("F08: a lane is claimed alone, so that a full lane starves no other") {
  Bench b;
  for (int i = 0; i < 50; ++i) add_due(b, kBatch, b.now() - 1h, "busy");
  add_due(b, kBatch, b.now(), "quiet");
  add_due(b, kBatch, b.now());

  CHECK(ids(claim(b, kBatch, 10, "quiet")) == "51");
  CHECK(ids(claim(b, kBatch, 10)) == "52");
  CHECK(claim(b, kBatch, 100, "busy").size() == 50);
  CHECK(claim(b, kBatch, 100, "nowhere").empty());
}

TEST_CASE(
    "two lifecycles may share a lane; a claim takes its own only, past any number of others") {
  Bench b;
  for (int i = 0; i < 20; ++i) add_due(b, kRelay, b.now() - 1h, "shared");
  add_due(b, kBatch, b.now(), "shared");

  CHECK(ids(claim(b, kBatch, 1, "shared")) == "21");
}

TEST_CASE("A2-17: a paused job is not claimed, and is once it goes on") {
  Bench b;
  const JobId id = b.add(kBatch);
  REQUIRE(b.jobs().pause(b.version(id), b.now()).has_value());

  CHECK(claim(b, kBatch).empty());
  REQUIRE(b.jobs().resume(b.version(id), b.now()).has_value());
  CHECK(ids(claim(b, kBatch)) == "1");
}

TEST_CASE("A2-17: a job added paused waits until it is resumed") {
  Bench b;
  const AddAnswer added =
      b.add({.lifecycle = &kBatch, .request = request_for(kBatch), .paused = true});

  CHECK(claim(b, kBatch).empty());
  REQUIRE(b.jobs().resume(b.version(added->id), b.now()).has_value());
  CHECK(ids(claim(b, kBatch)) == "1");
}

TEST_CASE("S3-2: a leased job is not claimed again, by any worker, however long it is due") {
  Bench b;
  b.add(kBatch);
  CHECK(ids(claim(b, kBatch)) == "1");

  const WorkerId other = b.store().workers().enlist("other", b.now());
  const auto again =
      b.jobs().claim({.lifecycle = &kBatch, .worker = other, .limit = 10}, b.after(1000h).now());

  CHECK(again.empty());
}

TEST_CASE("S2-5, S3-1: no ended job of any lifecycle is ever claimed") {
  Bench b;
  for (const Lifecycle* table : {&kBook, &kMedia, &kBatch, &kRelay, &kImage})
    for (const State& state : table->states)
      if (!state.is_open()) b.reach(*table, state.name);

  b.after(1000h);
  for (const Lifecycle* table : {&kBook, &kMedia, &kBatch, &kRelay, &kImage})
    CHECK(claim(b, *table).empty());
}

TEST_CASE("a state that no worker works on is not claimed: book, media's transfer, image's wait") {
  Bench b;
  b.reach(kBook, "queued");
  b.reach(kBook, "downloading");
  b.reach(kMedia, "queued");
  b.reach(kMedia, "downloading");
  b.reach(kImage, "failed");

  b.after(1000h);
  for (const Lifecycle* table : {&kBook, &kMedia, &kImage}) CHECK(claim(b, *table).empty());
}

TEST_CASE("A4-3: an image that failed is claimed after its timer put it back, not by being due") {
  Bench b;
  const JobId id = b.reach(kImage, "failed");
  CHECK(claim(b.after(1h), kImage).empty());

  CHECK(b.ask(id, On::requeue).has_value());
  CHECK(ids(claim(b, kImage)) == "1");
}

TEST_CASE(
    "Z-18: a leased state that no worker holds is adopted: new fence, same state, seq and "
    "attempt") {
  Bench b;
  const JobId imported = b.reach(kMedia, "imported");
  REQUIRE(b.jobs().release(std::vector{release_of(b, imported)}, b.now())[0].has_value());
  const JobId running = b.reach(kImage, "running");
  REQUIRE(b.jobs().release(std::vector{release_of(b, running)}, b.now())[0].has_value());

  const JobId completed = b.reach(kMedia, "downloading");
  REQUIRE(b.ask(completed, On::fetched).has_value());

  for (const JobId id : {imported, completed, running}) {
    const Job before = b.job(id);
    REQUIRE_FALSE(bool{before.worker});
    const auto claims = claim(b, *before.version.lifecycle, 1);

    CAPTURE(before.version.state);
    JobVersion after = before.version;
    after.fence += 1;
    REQUIRE(claims.size() == 1);
    CHECK((claims[0] == Claim{.version = after}));
    CHECK((b.version(id) == after));
    CHECK((b.job(id).worker == b.worker()));
    CHECK((b.job(id).moved_at == before.moved_at));
    CHECK(b.store().events().of(id, {}, 100).back().type == "ADOPTED");
  }
}

TEST_CASE("F03: the fence grows with every claim, also of one worker, and never goes back") {
  Bench b;
  const JobId id = b.add(kRelay);
  std::vector<std::int64_t> fences{b.version(id).fence};

  for (int i = 0; i < 4; ++i) {
    REQUIRE(ids(claim(b, kRelay)) == "1");
    fences.push_back(b.version(id).fence);
    REQUIRE(b.jobs().release(std::vector{release_of(b, id)}, b.now())[0].has_value());
    CHECK(b.version(id).fence == fences.back());
  }

  CHECK(fences == std::vector<std::int64_t>{0, 1, 2, 3, 4});
}

TEST_CASE("S2-2: started_at is this start, also of a second try") {
  Bench b;
  const JobId id = b.add(kBatch);
  claim(b, kBatch);
  REQUIRE(b.jobs().release(std::vector{release_of(b, id)}, b.now())[0].has_value());

  claim(b.after(1h), kBatch);

  CHECK((b.job(id).started_at == b.now()));
}

TEST_CASE("a claim by move is one too: it names its worker, or is refused") {
  Bench b;
  const JobId id = b.add(kBatch);
  Ask ask = b.draft(id, On::claim);

  ask.worker = {};
  CHECK(b.ask(ask).error().code == "not_leased");
  ask.worker = b.worker();
  CHECK((b.ask(ask) == JobVersion{id, &kBatch, "RUNNING", 1, 1, 0}));
}

TEST_CASE("A2-17: a paused job is not claimed by a move either") {
  Bench b;
  const JobId id = b.add(kBatch);
  REQUIRE(b.jobs().pause(b.version(id), b.now()).has_value());

  CHECK_FALSE(b.ask(id, On::claim).has_value());

  CHECK(b.job(id).version.state == "PENDING");
}

TEST_CASE("add_and_claim: what is added is claimed in the same transaction") {
  Bench b;
  const NewJob job{.lifecycle = &kBatch, .request = request_for(kBatch)};
  const auto both = b.jobs().add_and_claim(
      {&job, 1}, {.lifecycle = &kBatch, .worker = b.worker(), .limit = 1}, b.now());

  REQUIRE(both.added.size() == 1);
  REQUIRE(both.claimed.size() == 1);
  CHECK(both.claimed[0].version.id == both.added[0].value().id);
  CHECK(b.job(both.claimed[0].version.id).version.state == "RUNNING");
  CHECK(b.event_types(both.claimed[0].version.id) == "JOB_ADDED MOVED JOB_STARTED");
}

TEST_CASE("add_and_claim: who was due before comes first, and of another lifecycle none") {
  Bench b;
  const JobId older = add_due(b, kBatch, b.now() - 5s);
  const NewJob job{.lifecycle = &kBatch, .request = request_for(kBatch)};
  const ClaimRequest one{.lifecycle = &kBatch, .worker = b.worker(), .limit = 1};
  const auto first = b.jobs().add_and_claim({&job, 1}, one, b.now());
  CHECK(ids(first.claimed) == std::to_string(older.value));
  CHECK(b.job(first.added[0].value().id).version.state == "PENDING");

  const NewJob relay{.lifecycle = &kRelay, .request = request_for(kRelay)};
  const auto other = b.jobs().add_and_claim({&relay, 1}, one, b.now());
  CHECK(other.claimed.empty());
  CHECK(b.job(other.added[0].value().id).version.state == "QUEUED");
}

TEST_CASE("add_and_claim: an add that is refused claims nothing of its own") {
  Bench b;
  const NewJob job{.lifecycle = &kBatch, .request = "not JSON"};
  const auto both = b.jobs().add_and_claim(
      {&job, 1}, {.lifecycle = &kBatch, .worker = b.worker(), .limit = 1}, b.now());

  CHECK(both.added.at(0).error().code == "bad_request");
  CHECK(both.claimed.empty());
}

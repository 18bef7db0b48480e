// Events: every move and note once, in order, for as long as its job is open (promise 18, Z-6).

#include <doctest/doctest.h>

#include "support/store/bench.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

Events& events(Bench& b) { return b.store().events(); }

std::vector<std::int64_t> ids(const std::vector<Event>& events) {
  std::vector<std::int64_t> found;
  for (const Event& event : events) found.push_back(event.id.value);
  return found;
}

// One step of a prune, from the first event on.
std::size_t prune(Bench& b, Time before, std::size_t limit) {
  return events(b).prune(before, {}, limit).removed;
}

// Reads all pages to the end. `page` returns the events after an id.
template <class Page>
std::vector<Event> read_all(Page page) {
  std::vector<Event> all;
  for (int pages = 0; pages < 1000; ++pages) {
    const std::vector<Event> more = page(all.empty() ? EventId{} : all.back().id);
    if (more.empty()) break;
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

}  // namespace

TEST_CASE("an empty store has no events, and its newest is none") {
  Bench b;

  CHECK(events(b).after({}, 10).empty());
  CHECK((events(b).newest() == EventId{}));
}

TEST_CASE(
    "F09: a job's seq has no gap and no repeat, and its events come in the order they happened") {
  Bench b;
  const JobId id = b.reach(kRelay, "STREAMING");
  for (const On on : {On::requeue, On::claim, On::start, On::stream, On::ack})
    REQUIRE(b.ask(id, on).has_value());

  std::int64_t seq = 0;
  for (const Event& event : events(b).of(id, {}, 100)) CHECK(event.seq == seq++);
  CHECK(b.version(id).seq == seq - 1);
  CHECK(b.trail(id) ==
        "QUEUED > CLAIMED > DOWNLOADING > STREAMING > QUEUED > CLAIMED > DOWNLOADING > STREAMING > "
        "DELIVERED");
}

TEST_CASE("promise 18: paging over all events by id meets each once, at every page size") {
  Bench b;
  for (int i = 0; i < 7; ++i) b.reach(kBatch, i % 2 ? "COMPLETED" : "CANCELLED");
  const std::vector<Event> whole = events(b).after({}, 1000);
  REQUIRE(whole.size() == 3 * 5 + 4 * 4);
  CHECK(std::ranges::is_sorted(ids(whole)));
  CHECK((whole.back().id == events(b).newest()));

  for (const std::size_t limit : {1UL, 2UL, 5UL, whole.size() - 1, whole.size(), whole.size() + 1})
    CHECK((read_all([&](EventId after) { return events(b).after(after, limit); }) == whole));
}

TEST_CASE("promise 18: paging over one job's events meets each once, and no other's") {
  Bench b;
  const JobId one = b.reach(kBatch, "RUNNING");
  const JobId two = b.reach(kRelay, "CLAIMED");
  REQUIRE(b.ask(one, On::cancel).has_value());
  REQUIRE(b.ask(two, On::start).has_value());

  CHECK(b.event_types(one) == "JOB_ADDED MOVED JOB_STARTED MOVED JOB_CANCELLED JOB_DONE");
  CHECK(b.event_types(two) == "ADDED MOVED MOVED");
  for (const std::size_t limit : {1UL, 2UL, 100UL})
    CHECK((read_all([&](EventId after) { return events(b).of(one, after, limit); }) ==
           events(b).of(one, {}, 1000)));
}

TEST_CASE("promise 18: one job's events go on after any id: another job's, a pruned one, none") {
  Bench b;
  const JobId one = b.add(kBook);
  const JobId two = b.add(kBook);
  events(b).note(one, "LOG", "", b.now() + 1s);  // The clock was set back after this.
  REQUIRE(b.ask(one, On::fail).has_value());
  events(b).note(two, "LOG", "", b.now());
  const auto after = [&](std::int64_t id) {
    std::string text;
    for (const Event& event : events(b).of(one, EventId{id}, 10)) text += event.type + " ";
    return text;
  };
  REQUIRE(after(0) == "ADDED LOG MOVED ");

  CHECK(after(1) == "LOG MOVED ");
  CHECK(after(2) == "LOG MOVED ");  // 2 is another job's.
  CHECK(after(3) == "MOVED ");
  CHECK(after(4).empty());
  CHECK(after(99).empty());
  REQUIRE(prune(b, b.now() + 1s, 10) == 2);
  CHECK(after(0) == "LOG ");
  CHECK(after(1) == "LOG ");
}

TEST_CASE("a list of events is never longer than 1,000") {
  Bench b;
  const JobId id = b.add(kBook);
  for (int i = 0; i < 1000; ++i) events(b).note(id, "LOG", "", b.now());

  CHECK(events(b).of(id, {}, 5000).size() == 1000);
  CHECK(events(b).after({}, 5000).size() == 1000);
  CHECK(events(b).after({}, 0).empty());
}

TEST_CASE("S2-19: a note is written beside the newest move, and none after the end") {
  Bench b;
  const JobId id = b.add(kBook);
  REQUIRE(b.ask(id, On::started).has_value());

  CHECK(events(b).note(id, "LOG", R"({"message":"one","level":"info"})", b.after(1s).now()));
  CHECK(events(b).note(id, "LOG", "", b.now()));
  REQUIRE(b.ask(id, On::fail).has_value());
  CHECK_FALSE(events(b).note(id, "LOG", R"({"message":"late"})", b.now()));

  CHECK(b.event_types(id) == "ADDED MOVED LOG LOG MOVED");
  const std::vector<Event> all = events(b).of(id, {}, 10);
  CHECK((all[2] == Event{.id = all[2].id,
                         .job = id,
                         .seq = 1,
                         .type = "LOG",
                         .at = b.now(),
                         .data = R"({"message":"one","level":"info"})"}));
  CHECK(all[3].data.empty());
}

TEST_CASE("a note on no job is not written") {
  Bench b;

  CHECK_FALSE(events(b).note(JobId{99}, "LOG", "", b.now()));

  CHECK((events(b).newest() == EventId{}));
}

TEST_CASE("Z-6: no caller can note a move, and a note that is not JSON is not written") {
  Bench b;
  const JobId id = b.add(kBook);

  CHECK_THROWS_AS(events(b).note(id, "MOVED", "", b.now()), StoreFault);
  CHECK_THROWS_AS(events(b).note(id, "LOG", "{", b.now()), StoreFault);

  CHECK(b.event_types(id) == "ADDED");
}

TEST_CASE(
    "SX-7: events go when their job ended before the day, not on it, and not while it is open") {
  Bench b;
  const JobId ended = b.reach(kBook, "downloading");
  REQUIRE(b.after(1h).ask(ended, On::fail).has_value());
  const JobId open = b.reach(kBook, "downloading");
  const Time ended_at = b.job(ended).ended_at.value();
  // The newest event is never pruned, so make it one of `open`.
  events(b).note(open, "LOG", "", b.after(1h).now());

  CHECK(prune(b, ended_at, 100) == 0);
  CHECK(prune(b, ended_at + 1ms, 100) == 3);

  CHECK(b.event_types(ended).empty());
  CHECK(b.event_types(open) == "ADDED MOVED LOG");
  CHECK(prune(b, b.now() + 1000h, 100) == 0);
}

TEST_CASE("SX-7: an event younger than the day stays, though its job ended before") {
  Bench b;
  const JobId id = b.add(kBook);
  events(b).note(id, "LOG", "", b.now() + 10s);  // The clock was set back after this.
  REQUIRE(b.ask(id, On::fail).has_value());
  b.after(10s).add(kBook);

  CHECK(prune(b, b.now(), 100) == 2);

  CHECK(b.event_types(id) == "LOG");
}

TEST_CASE("SX-7: a prune removes at most its limit, the oldest first, and says how many") {
  Bench b;
  const JobId id = b.reach(kBook, "completed");
  b.after(1s).add(kBook);

  CHECK(prune(b, b.now(), 0) == 0);
  CHECK(prune(b, b.now(), 2) == 2);
  CHECK(b.event_types(id) == "MOVED");
  CHECK(prune(b, b.now(), 2) == 1);
  CHECK(prune(b, b.now(), 2) == 0);
}

TEST_CASE("promise 18: the newest event is never pruned, so that no id is given twice") {
  Bench b;
  const JobId id = b.reach(kBook, "failed");
  const EventId newest = events(b).newest();

  CHECK(prune(b, b.after(1000h).now(), 100) == 1);
  CHECK((events(b).newest() == newest));
  CHECK(b.event_types(id) == "MOVED");

  b.add(kBook);
  CHECK((events(b).newest() > newest));
}

TEST_CASE("a pruned job still moves: a retry goes on where its seq was") {
  Bench b;
  const JobId id = b.reach(kMedia, "failed");
  b.after(1h).add(kBook);
  REQUIRE(prune(b, b.now(), 100) == 2);

  REQUIRE(b.ask(id, On::retry).has_value());

  CHECK(b.event_types(id) == "MOVED");
  CHECK(b.version(id).seq == 2);
}

TEST_CASE("F09: an event says which worker took, held, lost or gave back its job") {
  Bench b;
  const JobId id = b.reach(kMedia, "completed");
  const WorkerId other = b.store().workers().enlist("other", b.now());
  b.jobs().rescue({.worker = b.worker(), .beat = 0, .lifecycle = &kMedia}, {}, b.now());
  const auto claims = b.jobs().claim({.lifecycle = &kMedia, .worker = other, .limit = 1}, b.now());
  REQUIRE(b.ask(id, On::landed).has_value());
  const Release back{.version = b.version(id), .worker = other};
  REQUIRE(b.jobs().release({&back, 1}, b.now())[0].has_value());
  REQUIRE(b.ask(id, On::cancel).has_value());

  std::string text;
  for (const Event& e : events(b).of(id, {}, 100))
    text += e.type + " " + std::to_string(e.worker.value) + " ";
  CHECK(text == "ADDED 0 MOVED 0 MOVED 0 ADOPTED 1 LOST 1 ADOPTED 2 MOVED 2 RELEASED 2 MOVED 0 ");
}

TEST_CASE(
    "SX-7: a step of a prune looks at so many events and no more, and the next goes on there") {
  Bench b;
  const JobId open = b.add(kBook);
  for (int i = 0; i < 5; ++i) events(b).note(open, "LOG", "", b.now());
  const JobId ended = b.reach(kBook, "failed");
  b.after(1s).add(kBook);

  const Pruned first = events(b).prune(b.now(), {}, 4);
  CHECK(first.removed == 0);
  REQUIRE(first.next);
  const Pruned second = events(b).prune(b.now(), *first.next, 4);
  CHECK(second.removed == 2);
  CHECK(b.event_types(ended).empty());
  REQUIRE(second.next);
  CHECK_FALSE(events(b).prune(b.now(), *second.next, 4).next);
}

TEST_CASE("SX-7: a prune ends with the first step that finds nothing old") {
  Bench b;
  b.reach(kBook, "failed");
  const Time before = b.after(1s).now();
  const JobId young = b.add(kBook);
  for (int i = 0; i < 20; ++i) events(b).note(young, "LOG", "", b.now());

  const Pruned first = events(b).prune(before, {}, 4);
  CHECK(first.removed == 2);
  REQUIRE(first.next);
  CHECK_FALSE(events(b).prune(before, *first.next, 4).next);
}

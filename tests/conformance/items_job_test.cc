// Items and their job: the events of the job, what its end, loss and release do to its items, and
// what survives.

#include <doctest/doctest.h>

#include "support/store/bench.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

ItemMove start(std::int64_t n) { return {.n = n, .from = "PENDING", .on = On::start}; }
ItemMove skip(std::int64_t n) {
  return {.n = n, .from = "PENDING", .on = On::skip, .holds = {Guard::filtered_out}};
}
ItemMove fail(std::int64_t n) { return {.n = n, .from = "DOWNLOADING", .on = On::fail}; }
ItemMove land(std::int64_t n) {
  return {.n = n,
          .from = "DOWNLOADING",
          .on = On::landed,
          .path = "/in/" + std::to_string(n),
          .proof = {Proof::evidence, R"({"size":1})"},
          .holds = {Guard::file_exists}};
}

// A running batch with five items, one in each state it can be in while the job runs.
struct Batch {
  Bench b;
  JobId id = b.reach(kBatch, "RUNNING");

  Items& items() { return b.store().items(); }
  void add(int count) {
    std::vector<NewItem> found;
    for (int i = 1; i <= count; ++i) found.push_back({.key = "k" + std::to_string(i), .url = "u"});
    REQUIRE(items().add(b.hold(id), found, Enumeration::complete, b.now()).has_value());
  }
  void move(const std::vector<ItemMove>& asks) {
    for (const ItemAnswer& answer : items().move(b.hold(id), asks, b.now()))
      REQUIRE(answer.has_value());
  }
  void spread() {
    add(5);
    move({start(2), start(3), land(3), start(4), fail(4), skip(5)});
  }
  // The states of all items, by number: "PENDING DOWNLOADING …".
  std::string states() {
    std::string text;
    for (const Item& i : items().list(id, "", 0, 100))
      text += (text.empty() ? "" : " ") + std::string{i.state};
    return text;
  }
  // The events after an id, one "TYPE data" per line.
  std::string events_after(EventId after) {
    std::string text;
    for (const Event& e : b.store().events().of(id, after, 100))
      text += e.type + " " + e.data + "\n";
    return text;
  }
};

void check_adds_up(const Counts& counts) {
  CHECK(counts.downloaded + counts.skipped + counts.failed + counts.cancelled == counts.total);
  CHECK(counts.completed() + counts.failed + counts.cancelled == counts.total);
}

}  // namespace

TEST_CASE(
    "S2-16, S2-19, Z-6: each ended item is an ITEM_DONE, each call one JOB_PROGRESS after them") {
  Batch t;
  t.add(4);
  const EventId mark = t.b.store().events().newest();

  t.move({start(1), start(2)});
  CHECK(t.events_after(mark).empty());
  t.move({land(1), fail(2), skip(3)});

  CHECK(t.events_after(mark) ==
        R"(ITEM_DONE {"file_id":"k1","file_path":"/in/1","success":true}
ITEM_DONE {"file_id":"k2","file_path":null,"success":false}
ITEM_DONE {"file_id":"k3","file_path":null,"success":true}
JOB_PROGRESS {"completed_items":2,"total_items":4}
)");
}

TEST_CASE("S2-16: JOB_PROGRESS already counts the items of its call, and grows from call to call") {
  Batch t;
  t.add(2);
  const EventId mark = t.b.store().events().newest();

  t.move({start(1), land(1)});
  t.move({skip(2)});

  CHECK(t.events_after(mark) == R"(ITEM_DONE {"file_id":"k1","file_path":"/in/1","success":true}
JOB_PROGRESS {"completed_items":1,"total_items":2}
ITEM_DONE {"file_id":"k2","file_path":null,"success":true}
JOB_PROGRESS {"completed_items":2,"total_items":2}
)");
}

TEST_CASE("a call in which every ask is refused writes no event") {
  Batch t;
  t.add(1);
  const EventId mark = t.b.store().events().newest();

  const std::vector<ItemMove> asks{land(1), fail(1), skip(9)};
  for (const ItemAnswer& answer : t.items().move(t.b.hold(t.id), asks, t.b.now()))
    CHECK_FALSE(answer.has_value());

  CHECK((t.b.store().events().newest() == mark));
}

TEST_CASE(
    "S2-13, A2-3: a cancelled job ends its live items CANCELLED, counts them, leaves the rest") {
  Batch t;
  t.spread();
  REQUIRE(t.states() == "PENDING DOWNLOADING COMPLETED FAILED SKIPPED");

  REQUIRE(t.b.ask(t.id, On::cancel).has_value());

  CHECK(t.states() == "CANCELLED CANCELLED COMPLETED FAILED SKIPPED");
  const Counts counts = t.items().counts(t.id);
  CHECK((counts == Counts{.total = 5,
                          .downloaded = 1,
                          .skipped = 1,
                          .failed = 1,
                          .cancelled = 2,
                          .enumerated = true}));
  check_adds_up(counts);
}

TEST_CASE("Z-7: a failed job ends its live items CANCELLED too, and they do not count as failed") {
  Batch t;
  t.spread();

  REQUIRE(t.b.ask(t.id, On::fail).has_value());

  CHECK(t.states() == "CANCELLED CANCELLED COMPLETED FAILED SKIPPED");
  CHECK(t.items().counts(t.id).failed == 1);
  check_adds_up(t.items().counts(t.id));
}

TEST_CASE("Z-8: a job cancelled in PENDING after a release ends its items as well") {
  Batch t;
  t.spread();
  const Release back{.version = t.b.version(t.id), .worker = t.b.worker()};
  REQUIRE(t.b.jobs().release({&back, 1}, t.b.now())[0].has_value());

  REQUIRE(t.b.ask(t.id, On::cancel).has_value());

  CHECK(t.states() == "CANCELLED CANCELLED COMPLETED FAILED SKIPPED");
  check_adds_up(t.items().counts(t.id));
}

TEST_CASE("Z-7: the fifth lost worker ends the job, and its live items FAILED as worker_crashed") {
  Batch t;
  t.spread();
  EventId mark;
  const Silence silence{.worker = t.b.worker(), .beat = 0, .lifecycle = &kBatch};
  for (int loss = 1; loss <= 5; ++loss) {
    if (loss > 1) t.b.claim(kBatch);
    if (loss == 5) t.move({start(2)});
    mark = t.b.store().events().newest();
    t.b.jobs().rescue(silence, {}, t.b.now());
    CHECK(t.b.store().intents().find_open(t.id, kClearIntent).has_value() == (loss == 5));
  }

  CHECK(t.b.job(t.id).version.state == "FAILED");
  CHECK(t.states() == "FAILED FAILED COMPLETED FAILED SKIPPED");
  CHECK(t.items().list(t.id, "", 0, 1).front().reason == "worker_crashed");
  CHECK((t.items().counts(t.id) ==
         Counts{.total = 5, .downloaded = 1, .skipped = 1, .failed = 3, .enumerated = true}));
  check_adds_up(t.items().counts(t.id));
  CHECK(t.events_after(mark).starts_with(
      R"(MOVED 
ITEM_DONE {"file_id":"k1","file_path":null,"success":false}
ITEM_DONE {"file_id":"k2","file_path":null,"success":false}
JOB_PROGRESS {"completed_items":2,"total_items":5}
JOB_ERROR )"));
}

TEST_CASE("Z-7, S2-28: release and loss put items in transfer back to PENDING, and no other") {
  for (const bool lost : {false, true}) {
    Batch t;
    t.spread();
    const Counts before = t.items().counts(t.id);
    if (lost) {
      const Silence silence{.worker = t.b.worker(), .beat = 0, .lifecycle = &kBatch};
      t.b.jobs().rescue(silence, {}, t.b.now());
    } else {
      const Release back{.version = t.b.version(t.id), .worker = t.b.worker()};
      REQUIRE(t.b.jobs().release({&back, 1}, t.b.now())[0].has_value());
    }

    CHECK(t.states() == "PENDING PENDING COMPLETED FAILED SKIPPED");
    CHECK((t.items().counts(t.id) == before));
    t.b.claim(kBatch);
    t.move({start(1), start(2), land(1), land(2)});
    REQUIRE(t.b.ask(t.id, On::done).has_value());
    check_adds_up(t.items().counts(t.id));
  }
}

TEST_CASE(
    "S2-31: a checkpoint and what was counted survive release and loss, for the next worker") {
  Batch t;
  t.add(1);
  t.move({start(1)});
  const ItemObservation seen{.n = 1,
                             .attempt = 2,
                             .tries = 7,
                             .due_at = t.b.now() + 4s,
                             .have = 512,
                             .size = 1024,
                             .path = "/in/1.part",
                             .checkpoint = R"({"etag":"x"})",
                             .reason = "http_503"};
  REQUIRE(t.items().observe(t.b.hold(t.id), {&seen, 1}, t.b.now()));
  Item expected = t.items().list(t.id, "", 0, 1).at(0);
  CHECK(expected.attempt == 2);
  CHECK(expected.tries == 7);
  CHECK((expected.due_at == t.b.now() + 4s));
  CHECK(expected.have == 512);
  CHECK(expected.size == 1024);
  CHECK(expected.path + expected.checkpoint + expected.reason ==
        R"(/in/1.part{"etag":"x"}http_503)");

  const Silence silence{.worker = t.b.worker(), .beat = 0, .lifecycle = &kBatch};
  t.b.jobs().rescue(silence, {}, t.b.now());
  t.b.claim(kBatch);

  expected.state = "PENDING";
  CHECK((t.items().list(t.id, "", 0, 1).at(0) == expected));
}

TEST_CASE("an observation leaves what it does not name, and an ended item, as they are") {
  Batch t;
  t.add(2);
  t.move({start(1), start(2), land(2)});
  const ItemObservation first{.n = 1, .have = 5, .checkpoint = "{}"};
  REQUIRE(t.items().observe(t.b.hold(t.id), {&first, 1}, t.b.now()));
  const std::vector<Item> before = t.items().list(t.id, "", 0, 10);

  const std::vector<ItemObservation> seen{{.n = 1, .tries = 3}, {.n = 2, .have = 9}, {.n = 99}};
  CHECK(t.items().observe(t.b.hold(t.id), seen, t.b.now()));

  std::vector<Item> expected = before;
  expected[0].tries = 3;
  CHECK((t.items().list(t.id, "", 0, 10) == expected));
}

TEST_CASE("an item that starts again keeps its checkpoint and loses its old reason") {
  Batch t;
  t.add(1);
  const ItemObservation seen{.n = 1, .checkpoint = R"({"etag":"x"})", .reason = "timeout"};
  REQUIRE(t.items().observe(t.b.hold(t.id), {&seen, 1}, t.b.now()));

  t.move({start(1)});

  CHECK(t.items().list(t.id, "", 0, 1).at(0).checkpoint == R"({"etag":"x"})");
  CHECK(t.items().list(t.id, "", 0, 1).at(0).reason.empty());
}

TEST_CASE("a job without items has zero counts, and so has one that does not exist") {
  Bench b;
  CHECK((b.store().items().counts(b.add(kBatch)) == Counts{}));
  CHECK((b.store().items().counts(JobId{99}) == Counts{}));
}

TEST_CASE("S2-8: an item a filter passes over is added and SKIPPED at once, counted and told") {
  Batch t;
  const EventId mark = t.b.store().events().newest();
  const std::vector<NewItem> found{{.key = "a", .url = "u"},
                                   {.key = "b", .url = "u", .skip = "extension"},
                                   {.key = "b", .url = "u"},
                                   {.key = "a", .url = "u", .skip = "size"}};

  const auto counts = t.items().add(t.b.hold(t.id), found, Enumeration::complete, t.b.now());

  CHECK((counts == Counts{.total = 2, .skipped = 1, .enumerated = true}));
  CHECK(t.states() == "PENDING SKIPPED");
  CHECK(t.items().list(t.id, "", 1, 1).at(0).reason == "extension");
  CHECK(t.events_after(mark) == R"(ITEM_DONE {"file_id":"b","file_path":null,"success":true}
JOB_PROGRESS {"completed_items":1,"total_items":2}
)");
}

TEST_CASE("F08: evidence that is not JSON is refused alone, not with its call") {
  Batch t;
  t.add(2);
  t.move({start(1), start(2)});
  ItemMove broken = land(1);
  broken.proof.data = "{";

  const auto answers = t.items().move(t.b.hold(t.id), std::vector{broken, land(2)}, t.b.now());

  CHECK_FALSE(answers[0].has_value());
  CHECK(answers[1].has_value());
  CHECK(t.states() == "DOWNLOADING COMPLETED");
}

TEST_CASE("F08: a checkpoint that is not JSON does not take other observations with it") {
  Batch t;
  t.add(2);
  const std::vector<ItemObservation> seen{{.n = 1, .have = 5}, {.n = 2, .checkpoint = "{"}};

  t.items().observe(t.b.hold(t.id), seen, t.b.now());

  CHECK(t.items().list(t.id, "", 0, 1).at(0).have == 5);
}

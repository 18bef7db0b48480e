// Items: found, numbered, moved one by one, and counted (002 Item Rules, Counter Semantics, A2-1).

#include <doctest/doctest.h>

#include "support/store/bench.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

// A running batch, and short forms of the calls for its items.
struct Batch {
  Bench b;
  JobId id = b.reach(kBatch, "RUNNING");

  Items& items() { return b.store().items(); }
  std::expected<Counts, Refusal> add(std::initializer_list<const char*> keys,
                                     Enumeration enumeration = Enumeration::goes_on) {
    std::vector<NewItem> found;
    for (const char* key : keys) found.push_back({.key = key, .url = "https://h/x"});
    return items().add(b.hold(id), found, enumeration, b.now());
  }
  ItemAnswer move(const ItemMove& ask) { return items().move(b.hold(id), {&ask, 1}, b.now())[0]; }
  Item item(std::int64_t n) { return items().list(id, "", n - 1, 1).at(0); }
  // Numbers and keys of the items, in order: "1a 2b".
  std::string listed(std::string_view state = "") {
    std::string text;
    for (const Item& i : items().list(id, state, 0, 100))
      text += (text.empty() ? "" : " ") + std::to_string(i.n) + i.key;
    return text;
  }
};

ItemMove start(std::int64_t n) { return {.n = n, .from = "PENDING", .on = On::start}; }
ItemMove skip(std::int64_t n) {
  return {.n = n, .from = "PENDING", .on = On::skip, .holds = {Guard::filtered_out}};
}
ItemMove fail(std::int64_t n) { return {.n = n, .from = "DOWNLOADING", .on = On::fail}; }
ItemMove land(std::int64_t n) {
  return {.n = n,
          .from = "DOWNLOADING",
          .on = On::landed,
          .path = "/in/f",
          .proof = {Proof::evidence, R"({"size":1})"},
          .holds = {Guard::file_exists}};
}

std::string code(const ItemAnswer& answer) {
  return answer ? std::string{*answer} : answer.error().code;
}

// "total downloaded+skipped+failed+cancelled", and a full stop if the total is final.
std::string shown(const Counts& c) {
  return std::to_string(c.total) + " " + std::to_string(c.downloaded) + "+" +
         std::to_string(c.skipped) + "+" + std::to_string(c.failed) + "+" +
         std::to_string(c.cancelled) + (c.enumerated ? "." : "");
}

}  // namespace

TEST_CASE("items are numbered from 1 as they are found, over many calls") {
  Batch t;

  CHECK(shown(*t.add({"a", "b"})) == "2 0+0+0+0");
  CHECK(shown(*t.add({})) == "2 0+0+0+0");
  CHECK(shown(*t.add({"c"})) == "3 0+0+0+0");

  CHECK(t.listed() == "1a 2b 3c");
}

TEST_CASE("a new item is PENDING with what it was found with, and nothing else") {
  Batch t;
  const NewItem found{.key = "a", .url = "https://h/a?b", .size = 7};

  REQUIRE(t.items().add(t.b.hold(t.id), {&found, 1}, Enumeration::goes_on, t.b.now()).has_value());

  CHECK((t.item(1) == Item{.job = t.id,
                           .n = 1,
                           .key = "a",
                           .url = "https://h/a?b",
                           .state = "PENDING",
                           .size = 7,
                           .updated_at = t.b.now()}));
}

TEST_CASE(
    "S2-29: a key known to the job is passed over, within a call and over calls; others count") {
  Batch t;

  CHECK(shown(*t.add({"a", "b", "a"})) == "2 0+0+0+0");
  CHECK(shown(*t.add({"b", "c", "a"})) == "3 0+0+0+0");

  CHECK(t.listed() == "1a 2b 3c");
}

TEST_CASE("an item keeps its first address, and two jobs may have one key") {
  Batch t;
  REQUIRE(t.add({"a"}).has_value());
  const NewItem other{.key = "a", .url = "https://elsewhere/", .size = 9};
  REQUIRE(t.items().add(t.b.hold(t.id), {&other, 1}, Enumeration::goes_on, t.b.now()).has_value());
  CHECK(t.item(1).url == "https://h/x");

  const JobId second = t.b.reach(kBatch, "RUNNING");
  const auto counts = t.items().add(t.b.hold(second), {&other, 1}, Enumeration::goes_on, t.b.now());
  CHECK(shown(*counts) == "1 0+0+0+0");
}

TEST_CASE("S2-11, A2-10: once enumeration is complete the total is final, for ever") {
  Batch t;
  CHECK(shown(*t.add({"a"}, Enumeration::complete)) == "1 0+0+0+0.");

  CHECK(t.add({"b"}).error().code == "enumerated");
  CHECK(t.add({}, Enumeration::complete).error().code == "enumerated");
  CHECK(shown(t.items().counts(t.id)) == "1 0+0+0+0.");

  const Release back{.version = t.b.version(t.id), .worker = t.b.worker()};
  REQUIRE(t.b.jobs().release({&back, 1}, t.b.now())[0].has_value());
  t.b.claim(kBatch);
  CHECK(t.add({"b"}).error().code == "enumerated");
}

TEST_CASE("promise 17: 4,000 items fit a call, 4,001 are refused and none is kept") {
  Batch t;
  std::vector<NewItem> found;
  for (int i = 0; i <= 4000; ++i) found.push_back({.key = std::to_string(i), .url = "u"});

  CHECK_THROWS_AS(t.items().add(t.b.hold(t.id), found, Enumeration::goes_on, t.b.now()),
                  StoreFault);
  CHECK(shown(t.items().counts(t.id)) == "0 0+0+0+0");
  found.pop_back();
  const auto counts = t.items().add(t.b.hold(t.id), found, Enumeration::goes_on, t.b.now());
  CHECK(shown(*counts) == "4000 0+0+0+0");
}

TEST_CASE("S2-9, A2-1: each end counts once, in its own counter, and they add up to the total") {
  Batch t;
  REQUIRE(t.add({"a", "b", "c", "d"}, Enumeration::complete).has_value());

  CHECK(code(t.move(skip(1))) == "SKIPPED");
  CHECK(shown(t.items().counts(t.id)) == "4 0+1+0+0.");
  for (const int n : {2, 3, 4}) CHECK(code(t.move(start(n))) == "DOWNLOADING");
  CHECK(shown(t.items().counts(t.id)) == "4 0+1+0+0.");
  CHECK(code(t.move(land(2))) == "COMPLETED");
  CHECK(shown(t.items().counts(t.id)) == "4 1+1+0+0.");
  CHECK(code(t.move(fail(3))) == "FAILED");
  CHECK(shown(t.items().counts(t.id)) == "4 1+1+1+0.");
  CHECK(code(t.move(land(4))) == "COMPLETED");

  const Counts counts = t.items().counts(t.id);
  CHECK(shown(counts) == "4 2+1+1+0.");
  CHECK(counts.completed() == 3);
  CHECK(counts.processed() == counts.total);
}

TEST_CASE("counts add up the bytes of downloaded items, and of no others") {
  Batch t;
  REQUIRE(t.add({"a", "b", "c", "d"}, Enumeration::complete));
  for (const int n : {1, 2, 3, 4}) REQUIRE(t.move(start(n)));
  const auto sized = [](ItemMove ask, std::int64_t size) {
    ask.size = size;
    return ask;
  };
  CHECK(t.items().counts(t.id).bytes == 0);
  REQUIRE(t.move(sized(land(1), 100)));
  REQUIRE(t.move(sized(fail(2), 7)));
  CHECK(t.items().counts(t.id).bytes == 100);
  REQUIRE(t.move(sized(land(3), 0)));
  CHECK(t.items().counts(t.id).open() == 1);
  REQUIRE(t.move(sized(land(4), 11)));

  CHECK(t.items().counts(t.id).bytes == 111);
  CHECK(t.items().counts(t.id).open() == 0);
  CHECK_FALSE(t.move(sized(land(4), 11)));
  CHECK(t.items().counts(t.id).bytes == 111);
}

TEST_CASE(
    "S2-6: every pair of item state and trigger outside the table is refused, and counts nothing") {
  struct Case {
    std::string_view from;
    On on;
    const char* code;
  };
  const Case cases[] = {
      {"PENDING", On::landed, "no_such_move"},   {"PENDING", On::fail, "no_such_move"},
      {"PENDING", On::cancel, "not_allowed"},    {"DOWNLOADING", On::cancel, "not_allowed"},
      {"DOWNLOADING", On::lost, "not_allowed"},  {"DOWNLOADING", On::release, "not_allowed"},
      {"DOWNLOADING", On::skip, "no_such_move"}, {"DOWNLOADING", On::start, "no_such_move"},
      {"COMPLETED", On::fail, "no_such_move"},   {"SKIPPED", On::start, "no_such_move"},
      {"FAILED", On::start, "no_such_move"},     {"CANCELLED", On::start, "no_such_move"},
      {"PAUSED", On::start, "no_such_move"},
  };
  for (const Case& c : cases) {
    Batch t;
    REQUIRE(t.add({"a"}).has_value());
    if (c.from != "PENDING") REQUIRE(t.move(start(1)).has_value());
    const Item before = t.item(1);
    ItemMove ask = land(1);
    ask.from = c.from;
    ask.on = c.on;

    CAPTURE(c.from);
    CAPTURE(name(c.on));
    CHECK(code(t.move(ask)) == c.code);

    CHECK((t.item(1) == before));
    CHECK(shown(t.items().counts(t.id)) == "1 0+0+0+0");
  }
}

TEST_CASE("S2-6: an item that is not as it was seen is stale; an ended one never moves again") {
  Batch t;
  REQUIRE(t.add({"a", "b"}).has_value());
  REQUIRE(t.move(start(1)).has_value());
  REQUIRE(t.move(land(1)).has_value());
  const Item before = t.item(1);

  CHECK(code(t.move(start(1))) == "stale");
  CHECK(code(t.move(fail(1))) == "stale");
  CHECK(code(t.move(land(2))) == "stale");
  CHECK(code(t.move(start(99))) == "stale");

  CHECK((t.item(1) == before));
  CHECK(shown(t.items().counts(t.id)) == "2 1+0+0+0");
}

TEST_CASE("S2-7, promise 7: an item completes with path and evidence only, and keeps both") {
  Batch t;
  REQUIRE(t.add({"a"}).has_value());
  REQUIRE(t.move(start(1)).has_value());

  ItemMove ask = land(1);
  ask.path = "";
  CHECK(code(t.move(ask)) == "needs_evidence");
  ask = land(1);
  ask.proof = {};
  CHECK(code(t.move(ask)) == "needs_evidence");
  ask = land(1);
  ask.proof.data = "";
  CHECK(code(t.move(ask)) == "needs_evidence");
  ask = land(1);
  ask.proof.kind = Proof::receipt;
  CHECK(code(t.move(ask)) == "needs_evidence");
  CHECK(t.item(1).state == "DOWNLOADING");

  ask = land(1);
  ask.size = 42;
  CHECK(code(t.move(ask)) == "COMPLETED");
  CHECK(t.item(1).path == "/in/f");
  CHECK(t.item(1).size == 42);
  CHECK(t.item(1).evidence == R"({"size":1})");
}

TEST_CASE("S2-8: reason and detail are kept with the move that brings them") {
  Batch t;
  REQUIRE(t.add({"a"}).has_value());
  ItemMove ask = skip(1);
  ask.reason = "extension";
  ask.detail = ".exe is excluded";

  REQUIRE(t.move(ask).has_value());

  CHECK(t.item(1).reason == "extension");
  CHECK(t.item(1).detail == ".exe is excluded");
}

TEST_CASE(
    "moves of one call are answered one by one, in order, and a later one sees an earlier one") {
  Batch t;
  REQUIRE(t.add({"a", "b"}).has_value());
  const std::vector<ItemMove> asks{start(1), land(2), land(1), start(1), skip(2)};

  const auto answers = t.items().move(t.b.hold(t.id), asks, t.b.now());

  std::string text;
  for (const ItemAnswer& answer : answers) text += code(answer) + " ";
  CHECK(text == "DOWNLOADING stale COMPLETED stale SKIPPED ");
  CHECK(shown(t.items().counts(t.id)) == "2 1+1+0+0");
}

TEST_CASE("items are listed by number, page by page, all or those of one state") {
  Batch t;
  REQUIRE(t.add({"a", "b", "c", "d", "e"}).has_value());
  REQUIRE(t.move(start(2)).has_value());
  REQUIRE(t.move(start(4)).has_value());

  CHECK(t.listed("DOWNLOADING") == "2b 4d");
  CHECK(t.listed("PENDING") == "1a 3c 5e");
  CHECK(t.listed("FAILED").empty());
  CHECK(t.items().list(t.id, "", 3, 1).at(0).n == 4);
  CHECK(t.items().list(t.id, "", 5, 1).empty());
  CHECK(t.items().list(t.id, "", 0, 0).empty());
}

TEST_CASE("a job whose lifecycle has no items takes none, under its own lease either") {
  Bench b;
  Items& items = b.store().items();
  const NewItem item{.key = "a", .url = "https://h/a"};
  const ItemMove move = start(1);
  const JobId batch = b.reach(kBatch, "RUNNING");
  REQUIRE(items.add(b.hold(batch), {&item, 1}, Enumeration::complete, b.now()).has_value());

  const JobId relay = b.reach(kRelay, "CLAIMED");
  CHECK(items.add(b.hold(relay), {&item, 1}, Enumeration::complete, b.now()).error().code ==
        "no_items");
  CHECK_FALSE(items.move(b.hold(relay), {&move, 1}, b.now()).front().has_value());
  CHECK(items.list(relay, "", 0, 10).empty());
  CHECK((items.counts(relay) == Counts{}));
}

TEST_CASE("an observation of an item that has ended changes nothing of it") {
  Batch t;
  REQUIRE(t.add({"a", "b"}).has_value());
  REQUIRE(t.move(skip(1)).has_value());
  const Item ended = t.item(1);
  const std::vector<ItemObservation> seen{{.n = 1, .have = 7}, {.n = 2, .have = 7}};

  CHECK(t.items().observe(t.b.hold(t.id), seen, t.b.now()));

  CHECK((t.item(1) == ended));
  CHECK(t.item(2).have == 7);
}

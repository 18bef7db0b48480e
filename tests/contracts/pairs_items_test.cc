// SX-4, Z-7: every ordered pair of an item's six states, through the item's own moves and through
// moves of its job. Only moves of the job cancel an item or hand it back.

#include <doctest/doctest.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "contracts/pairs.h"
#include "support/store/bench.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

constexpr Proof kEveryProof[] = {Proof::none, Proof::receipt, Proof::ack, Proof::evidence};

// A running batch with two enumerated items: the one under test, and one that must not change.
class ItemBench {
 public:
  explicit ItemBench(int losses = 0) {
    id_ = b_.reach(kBatch, "RUNNING");
    for (int i = 0; i < losses; ++i) {
      lose();
      b_.claim(kBatch);
    }
    const NewItem items[] = {{.key = "a", .url = "https://h/a", .size = 1},
                             {.key = "b", .url = "https://h/b", .size = 1}};
    b_.store().items().add(b_.hold(id_), items, Enumeration::complete, b_.now()).value();
  }

  Bench& bench() { return b_; }
  JobId job() const { return id_; }
  Item item() { return all().at(0); }
  std::vector<Item> all() { return b_.store().items().list(id_, "", 0, 10); }

  ItemAnswer move(std::string_view from, On on, Proof proof = Proof::evidence) {
    const ItemMove ask{.n = 1,
                       .from = from,
                       .on = on,
                       .path = "/in/a",
                       .size = 1,
                       .proof = {proof, R"({"size":1})"},
                       .holds = {Guard::filtered_out, Guard::file_exists},
                       .reason = "tried"};
    return b_.store().items().move(b_.hold(id_), {&ask, 1}, b_.now()).front();
  }

  Rescued lose() {
    const std::int64_t beat = b_.store().workers().find(b_.worker()).value().beat;
    return b_.jobs().rescue({.worker = b_.worker(), .beat = beat, .lifecycle = &kBatch}, {},
                            b_.now());
  }

  MoveAnswer give_back() {
    const Release release{.version = b_.version(id_), .worker = b_.worker()};
    return b_.jobs().release({&release, 1}, b_.now()).front();
  }

  ItemBench& reach(std::string_view state) {
    const bool is_started = state == "DOWNLOADING" || state == "COMPLETED" || state == "FAILED";
    if (is_started) move("PENDING", On::start).value();
    if (state == "COMPLETED") move("DOWNLOADING", On::landed).value();
    if (state == "FAILED") move("DOWNLOADING", On::fail).value();
    if (state == "SKIPPED") move("PENDING", On::skip).value();
    if (state == "CANCELLED") b_.ask(id_, On::cancel).value();
    REQUIRE(item().state == state);
    return *this;
  }

 private:
  Bench b_;
  JobId id_;
};

// Everything that a refused ask must leave unchanged.
struct Trace {
  Job job;
  std::vector<Item> items;
  Counts counts;
  std::vector<Event> events;

  bool operator==(const Trace&) const = default;
};

Trace trace_of(ItemBench& b) {
  Store& store = b.bench().store();
  return {b.bench().job(b.job()), b.all(), store.items().counts(b.job()),
          store.events().of(b.job(), {}, 1000)};
}

// The states reached from one state, each with the causes: "item", or the job's "cancel", "lost"
// and so on.
using Reached = std::map<std::string_view, std::set<std::string>>;

std::string joined(const std::set<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

// An ask with any trigger, any proof, and any claim about the item's current state.
struct Way {
  std::string_view seen;
  On on;
  Proof proof;
};

std::vector<Way> every_way() {
  std::vector<Way> ways;
  for (const std::string_view seen : kItemStates)
    for (int on = 0; name(static_cast<On>(on)) != "?"; ++on)
      for (const Proof proof : kEveryProof) ways.push_back({seen, static_cast<On>(on), proof});
  return ways;
}

void try_own_moves(std::string_view from, Reached& reached) {
  auto b = std::make_unique<ItemBench>();
  Trace before = trace_of(b->reach(from));
  for (const auto& [seen, on, proof] : every_way()) {
    const ItemAnswer answer = b->move(seen, on, proof);

    const Trace after = trace_of(*b);
    if (!answer) {
      CHECK_MESSAGE(after == before, from << ", refused: " << name(on) << " from " << seen);
      continue;
    }
    CHECK(seen == from);
    CHECK(after.items.at(0).state == *answer);
    CHECK(after.items.at(1) == before.items.at(1));
    CHECK(after.job == before.job);
    reached[*answer].insert("item");
    b = std::make_unique<ItemBench>();
    before = trace_of(b->reach(from));
  }
}

// A move of the job also moves its items.
void try_doors_of_job(std::string_view from, Reached& reached) {
  const auto attempt = [&](const std::string& door, int losses, const auto& act) {
    ItemBench b{losses};
    b.reach(from);
    act(b);
    const Item after = b.item();
    if (door == "crash" && from == "PENDING") {  // Two moves at once, as A0-1 has them for books.
      CHECK(after.state == "FAILED");
      reached["DOWNLOADING"].insert(door);
    } else if (after.state != from) {
      reached[after.state].insert(door);
    }
  };
  attempt("cancel", 0, [](ItemBench& b) { (void)b.bench().ask(b.job(), On::cancel); });
  attempt("fail", 0, [](ItemBench& b) { (void)b.bench().ask(b.job(), On::fail); });
  attempt("done", 0, [](ItemBench& b) { (void)b.bench().ask(b.job(), On::done); });
  attempt("release", 0, [](ItemBench& b) { (void)b.give_back(); });
  attempt("lost", 0, [](ItemBench& b) { b.lose(); });
  attempt("lost", 3, [](ItemBench& b) { b.lose(); });
  attempt("crash", 4, [](ItemBench& b) { b.lose(); });  // Z-7: the fifth.
}

// Makes each move that the table allows a worker. Returns how many moves the table has for the
// pair, by anyone.
int make_offered_moves(std::string_view from, std::string_view to) {
  int offered = 0;
  for (const Move& move : kItem.moves) {
    if (!move.from.contains(from) || move.to != to) continue;
    ++offered;
    if (move.by != By::worker) continue;
    ItemBench b;
    b.reach(from);

    const ItemAnswer answer = b.move(from, move.on);

    REQUIRE_MESSAGE(answer.has_value(), name(move.on));
    CHECK(b.item().state == to);
  }
  return offered;
}

TEST_CASE("S2-6, Z-7: of an item's 36 pairs seven happen, three of them only with its job") {
  int checked = 0;
  for (const std::string_view from : kItemStates) {
    Reached reached;
    try_own_moves(from, reached);
    try_doors_of_job(from, reached);
    for (const std::string_view to : kItemStates) {
      const std::string pair = std::string{from} + " -> " + std::string{to};
      CAPTURE(pair);
      CHECK(joined(reached[to]) == kItemPairs.by(from, to));
      CHECK((make_offered_moves(from, to) > 0) == !kItemPairs.by(from, to).empty());
      ++checked;
    }
    CHECK(reached.size() == kItemPairs.states.size());
  }
  CHECK(checked == 36);
}

TEST_CASE("Z-8: a job that was given back is PENDING, and cancelling it still ends its items") {
  ItemBench b;
  b.reach("DOWNLOADING");

  REQUIRE(b.give_back().has_value());
  CHECK(b.item().state == "PENDING");

  REQUIRE(b.bench().ask(b.job(), On::cancel).has_value());
  CHECK(b.item().state == "CANCELLED");
  CHECK(b.bench().store().items().counts(b.job()).cancelled == 2);
  CHECK(b.bench().trail(b.job()) == "PENDING > RUNNING > PENDING > CANCELLED");
}

TEST_CASE("Z-7: what ended before its job was lost stays ended when the job runs again") {
  for (const std::string_view ended : {"COMPLETED", "SKIPPED", "FAILED"}) {
    ItemBench b;
    const Item before = b.reach(ended).item();

    b.lose();
    b.bench().claim(kBatch);

    CHECK(b.item() == before);
  }
}

}  // namespace
}  // namespace haul::testing

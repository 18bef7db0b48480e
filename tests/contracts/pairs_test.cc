// SX-4: every ordered pair of states of the five job lifecycles, through every call of the store
// that can change a state. A pair is allowed or never happens, whatever the actor and whatever
// proof and facts the ask carries. A refusal changes nothing.

#include "contracts/pairs.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "support/store/bench.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

constexpr By kEveryone[] = {By::user, By::worker, By::system, By::timer};
constexpr Proof kEveryProof[] = {Proof::none, Proof::receipt, Proof::ack, Proof::evidence};

// Every trigger in the enum: name() returns "?" past its end.
std::vector<On> every_trigger() {
  std::vector<On> triggers;
  for (int i = 0; name(static_cast<On>(i)) != "?"; ++i) triggers.push_back(static_cast<On>(i));
  return triggers;
}

// Everything that a refused ask must leave unchanged.
struct Trace {
  Job job;
  std::vector<Event> events;
  EventId newest;
  std::vector<Credit> credits;
  std::vector<AuditEntry> audits;
  std::vector<Asset> assets;

  bool operator==(const Trace&) const = default;
};

Trace trace_of(Bench& b, JobId id) {
  Store& store = b.store();
  return {
      .job = b.job(id),
      .events = store.events().of(id, {}, 1000),
      .newest = store.events().newest(),
      .credits = store.ledger().entries(kAdmin, 0, 1000),
      .audits = store.ledger().audits(0, 1000),
      .assets = store.catalog().assets({.owner = {}, .status = {}, .after = {}, .limit = 1'000})};
}

// The parts of an ask that the test varies.
struct Way {
  On on;
  By by;
  Proof proof;
  WorkerId worker;
};

std::vector<Way> every_way(const std::vector<WorkerId>& workers) {
  std::vector<Way> ways;
  for (const On on : every_trigger())
    for (const By by : kEveryone)
      for (const Proof proof : kEveryProof)
        for (const WorkerId worker : workers) ways.push_back({on, by, proof, worker});
  return ways;
}

// All guards of the move that the table has, if it has one.
ShortList<Guard, 4> guards_of(const JobVersion& version, On on) {
  const Move* move = version.lifecycle->find(version.state, on);
  return move ? move->terms.guards : ShortList<Guard, 4>{};
}

// An ask with all the facts that any move could need.
Ask generous(Bench& b, const JobVersion& seen, const Way& way) {
  const bool book = seen.lifecycle->name == "book";
  return {.version = seen,
          .on = way.on,
          .by = way.by,
          .worker = way.worker,
          .due_at = b.now() + 24h,  // Keeps a moved job from being claimed instead of the next one.
          .reason = "tried",
          .detail = "tried once",
          .proof = {way.proof, R"({"size":1})"},
          .holds = guards_of(seen, way.on),
          .assets = {AssetFacts{
              .book = book ? "b" : "", .media_type = "text", .path = "/library/x", .size = 1}}};
}

// The states reached from one state, and by whom.
using Reached = std::map<std::string_view, std::set<By>>;

std::string names_of(const std::set<By>& who) {
  std::string text;
  for (const By by : who) text += (text.empty() ? "" : " ") + std::string{name(by)};
  return text;
}

auto moves_in(const std::vector<Event>& events) {
  return std::ranges::count(events, "MOVED", &Event::type);
}

// The job has moved one step, to the state in the answer, with exactly one event.
void check_moved(const Trace& before, const Trace& after, const Way& way,
                 const JobVersion& answer) {
  CHECK(after.job.version == answer);
  CHECK(answer.seq == before.job.version.seq + 1);
  REQUIRE(moves_in(after.events) == moves_in(before.events) + 1);
  const Event& moved = after.events.at(before.events.size());
  CHECK(moved.type == "MOVED");
  CHECK(moved.seq == answer.seq);
  CHECK(moved.from == before.job.version.state);
  CHECK(moved.to == answer.state);
  CHECK(moved.on == name(way.on));
  CHECK(moved.by == name(way.by));
}

// Tries every ask on a job in one state: without a worker, as its holder, as another worker.
void try_moves(const Lifecycle& table, std::string_view from, Reached& reached) {
  Bench b;
  const WorkerId stranger = b.store().workers().enlist("stranger", b.now());
  JobId id = b.reach(table, from);
  Trace before = trace_of(b, id);
  for (const Way& way : every_way({{}, b.worker(), stranger})) {
    const MoveAnswer answer = b.ask(generous(b, before.job.version, way));

    const Trace after = trace_of(b, id);
    if (!answer) {
      CHECK_MESSAGE(after == before, table.name << " " << from << ", refused: " << name(way.on)
                                                << " by " << name(way.by));
      continue;
    }
    check_moved(before, after, way, *answer);
    reached[answer->state].insert(way.by);
    id = b.reach(table, from);
    before = trace_of(b, id);
  }
}

// Tries the other calls that could change a state: claim, release, rescue, pause, resume, observe.
void try_doors(const Lifecycle& table, std::string_view from, Reached& reached) {
  const auto attempt = [&](By by, const auto& act) {
    Bench b;
    const JobId id = b.reach(table, from);
    const Job before = b.job(id);
    act(b, before);
    if (const JobVersion after = b.version(id);
        after.state != from || after.seq != before.version.seq)
      reached[after.state].insert(by);
  };
  attempt(By::worker, [&](Bench& b, const Job&) {
    b.jobs().claim({.lifecycle = &table, .worker = b.worker()}, b.now());
  });
  attempt(By::system, [&](Bench& b, const Job& job) {
    const Release release{.version = job.version, .worker = b.worker(), .reason = "tried"};
    b.jobs().release({&release, 1}, b.now());
  });
  attempt(By::system, [&](Bench& b, const Job&) {
    b.jobs().rescue({.worker = b.worker(), .lifecycle = &table}, {}, b.now());
  });
  attempt(By::user, [](Bench& b, const Job& job) { (void)b.jobs().pause(job.version, b.now()); });
  attempt(By::user, [](Bench& b, const Job& job) { (void)b.jobs().resume(job.version, b.now()); });
  attempt(By::worker, [](Bench& b, const Job& job) {
    const Observation seen{.version = job.version, .worker = job.worker, .reason = "tried"};
    b.jobs().observe({&seen, 1}, b.now());
  });
}

// Makes each move that the table has for a pair, in the role it is for. Returns how many there are.
int make_offered_moves(const Lifecycle& table, std::string_view from, std::string_view to) {
  int offered = 0;
  for (const Move& move : table.moves) {
    if (!move.from.contains(from) || move.to != to) continue;
    Bench b;
    const JobId id = b.reach(table, from);
    const Trace before = trace_of(b, id);

    const MoveAnswer answer = b.ask(id, move.on);

    REQUIRE_MESSAGE(answer.has_value(), name(move.on));
    CHECK(answer->state == to);
    check_moved(before, trace_of(b, id), {move.on, move.by, {}, {}}, *answer);
    ++offered;
  }
  return offered;
}

// Returns how many pairs it checked.
int check_pairs(const Lifecycle& table, const Pairs& pairs) {
  int checked = 0;
  for (const std::string_view from : pairs.states) {
    Reached reached;
    try_moves(table, from, reached);
    try_doors(table, from, reached);
    for (const std::string_view to : pairs.states) {
      const std::string pair = std::string{from} + " -> " + std::string{to};
      CAPTURE(pair);
      CHECK(names_of(reached[to]) == pairs.by(from, to));
      const bool is_allowed = !pairs.by(from, to).empty();
      CHECK((make_offered_moves(table, from, to) > 0) == is_allowed);
      ++checked;
    }
    CHECK(reached.size() == pairs.states.size());  // No state beyond the document's was reached.
  }
  return checked;
}

TEST_CASE("S0-2: of book's 25 pairs the six of 000 §3 happen, and no ask brings about another") {
  CHECK(check_pairs(kBook, kBookPairs) == 25);
}

TEST_CASE("S1-1: of media's 36 pairs the nine of the document's map happen, and no others") {
  CHECK(check_pairs(kMedia, kMediaPairs) == 36);
}

TEST_CASE("S2-1, A2-4: of batch's 25 pairs the table's five and the recovery happen") {
  CHECK(check_pairs(kBatch, kBatchPairs) == 25);
}

TEST_CASE("S3-1, A3-1, A3-2: of relay's 64 pairs the diagram's eleven and A3-1's happen") {
  CHECK(check_pairs(kRelay, kRelayPairs) == 64);
}

TEST_CASE("S4-1, A4-1: of image's 36 pairs seven happen, rejected from queued and from running") {
  CHECK(check_pairs(kImage, kImagePairs) == 36);
}

// Asks for moves with a state that is not the job's. Returns how many asks it made.
int check_forged(Bench& b, const Lifecycle& table, JobId id) {
  const Trace before = trace_of(b, id);
  int asked = 0;
  for (const State& state : table.states) {
    if (state.name == before.job.version.state) continue;
    JobVersion forged = before.job.version;
    forged.state = state.name;
    for (const Way& way : every_way({before.job.worker, b.worker()})) {
      const MoveAnswer answer = b.ask(generous(b, forged, way));
      CHECK_FALSE(answer.has_value());
      ++asked;
    }
  }
  CHECK(trace_of(b, id) == before);
  return asked;
}

TEST_CASE("SX-1: an ask that mistakes the job's state is refused without a trace") {
  for (const Lifecycle* table : {&kBook, &kMedia, &kBatch, &kRelay, &kImage})
    for (const State& state : table->states) {
      Bench b;
      const JobId id = b.reach(*table, state.name);

      const int asked = check_forged(b, *table, id);

      CHECK(asked == 20 * 4 * 4 * 2 * (static_cast<int>(table->states.size()) - 1));
    }
}

TEST_CASE("S0-1, S1-1, S2-1, S3-1, S4-1: the states are the documents', and all start at theirs") {
  const auto as_text = [](const auto& names) {
    std::set<std::string> all;
    for (const std::string_view each : names) all.emplace(each);
    return all;
  };
  for (const Pairs& pairs :
       {kBookPairs, kMediaPairs, kBatchPairs, kItemPairs, kRelayPairs, kImagePairs}) {
    const Lifecycle* table = find_lifecycle(pairs.lifecycle);
    REQUIRE(table);
    std::vector<std::string_view> names;
    for (const State& state : table->states) names.push_back(state.name);

    CHECK(as_text(names) == as_text(pairs.states));
    CHECK(table->initial().name == pairs.states.front());
  }
}

}  // namespace
}  // namespace haul::testing

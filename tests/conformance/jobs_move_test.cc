// Jobs::move compares everything and sets everything, or changes nothing (promises 2 and 4).

#include <doctest/doctest.h>

#include "support/store/bench.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

// Everything that a refused ask could have changed.
struct Trace {
  Job job;
  std::vector<Event> events;
  Counts counts;
  Wallet wallet;
  std::size_t assets = 0;
  std::size_t audits = 0;

  bool operator==(const Trace&) const = default;
};

Trace trace(Bench& b, JobId id) {
  return {b.job(id),
          b.store().events().of(id, {}, kListMax),
          b.store().items().counts(id),
          b.store().ledger().wallet(kAdmin),
          b.store().catalog().assets_of(id).size(),
          b.store().ledger().audits(0, kListMax).size()};
}

std::string code(const MoveAnswer& answer) { return answer ? "ok" : answer.error().code; }

// The last move, as "QUEUED>CLAIMED claim worker reason data".
std::string last_move(Bench& b, JobId id) {
  std::string text;
  for (const Event& e : b.store().events().of(id, {}, kListMax))
    if (e.type == "MOVED")
      text = e.from + ">" + e.to + " " + e.on + " " + e.by + " '" + e.reason + "' '" + e.data + "'";
  return text;
}

}  // namespace

TEST_CASE("S0-21, F03: a stale state, seq, fence or worker is refused, and leaves no trace") {
  Bench b;
  const JobId id = b.reach(kRelay, "STREAMING");
  const WorkerId other = b.store().workers().enlist("other", b.now());
  const Ask good = b.draft(id, On::ack);
  const Trace before = trace(b.after(1s), id);

  Ask ask = b.draft(id, On::fail);  // `fail` exists from DOWNLOADING too.
  ask.version.state = "DOWNLOADING";
  CHECK(code(b.ask(ask)) == "stale");
  for (const int off : {-1, 1}) {
    ask = good;
    ask.version.seq += off;
    CHECK(code(b.ask(ask)) == "stale");
    ask = good;
    ask.version.fence += off;
    CHECK(code(b.ask(ask)) == "stale");
  }
  ask = good;
  ask.worker = other;
  CHECK(code(b.ask(ask)) == "stale");
  ask.worker = {};
  CHECK(code(b.ask(ask)) == "not_leased");
  ask = good;
  ask.version.id = JobId{99};
  CHECK(code(b.ask(ask)) == "no_such_job");

  CHECK((trace(b, id) == before));
  CHECK(code(b.ask(good)) == "ok");
}

TEST_CASE("F03: not even the result of an ask that is refused as stale is kept") {
  Bench b;
  const JobId id = b.reach(kRelay, "STREAMING");
  const WorkerId other = b.store().workers().enlist("other", b.now());
  Ask ask = b.draft(id, On::ack);
  ask.result = "message 7";
  ask.worker = other;
  const Trace before = trace(b, id);

  CHECK(code(b.ask(ask)) == "stale");

  CHECK((trace(b, id) == before));
}

TEST_CASE("promise 14: a refused give_up does not free the key") {
  Bench b;
  const NewJob job{.lifecycle = &kImage,
                   .request = request_for(kImage),
                   .key = {.value = "k", .scope = KeyScope::window}};
  const JobId id = b.add(job)->id;
  REQUIRE(b.ask(id, On::claim).has_value());
  REQUIRE(b.ask(id, On::fail).has_value());
  Ask ask = b.draft(id, On::give_up);
  ask.by = By::system;
  ask.worker = b.worker();  // This worker holds no lease on the job, so the ask is out of date.

  CHECK(code(b.ask(ask)) == "stale");

  CHECK((b.add(job) == Added{id, true}));
}

TEST_CASE(
    "S0-2: who asks is who the table says; system stands in for timer and worker, but claims not") {
  for (const Lifecycle* table : {&kBook, &kMedia, &kBatch, &kRelay, &kImage})
    for (const Move& move : table->moves)
      for (const By by : {By::user, By::worker, By::system, By::timer}) {
        Bench b;
        const JobId id = b.reach(*table, *move.from.begin());
        Ask ask = b.draft(id, move.on);
        ask.by = by;
        const Trace before = trace(b, id);
        const bool stands_in = by == By::system && move.by != By::user && move.on != On::claim;
        const bool may = by == move.by || stands_in;

        const MoveAnswer answer = b.ask(ask);

        CAPTURE(table->name);
        CAPTURE(name(move.on));
        CAPTURE(name(by));
        if (!may) CHECK(code(answer) == "not_allowed");
        if (!may) CHECK(answer.error().kind == RefusalKind::forbidden);
        if (!may) CHECK((trace(b, id) == before));
        if (may) CHECK(code(answer) != "not_allowed");
      }
}

TEST_CASE(
    "S1-10, S3-13, S2-7: a move that needs proof is refused without it, or with another kind") {
  int needing = 0;
  for (const Lifecycle* table : {&kBook, &kMedia, &kBatch, &kRelay, &kImage})
    for (const Move& move : table->moves) {
      if (move.terms.needs == Proof::none) continue;
      ++needing;
      Bench b;
      const JobId id = b.reach(*table, *move.from.begin());
      const Trace before = trace(b, id);
      for (const Proof given : {Proof::none, Proof::receipt, Proof::ack, Proof::evidence}) {
        if (given == move.terms.needs) continue;
        Ask ask = b.draft(id, move.on);
        ask.proof.kind = given;
        CHECK(code(b.ask(ask)) == "needs_" + std::string{name(move.terms.needs)});
      }
      CHECK((trace(b, id) == before));
      CHECK(code(b.ask(b.draft(id, move.on))) == "ok");
    }
  CHECK(needing == 5);
}

TEST_CASE("promise 7, F02: proof that says nothing is no proof") {
  Bench b;
  const JobId id = b.reach(kRelay, "STREAMING");
  Ask ask = b.draft(id, On::ack);
  ask.proof = {Proof::ack, ""};

  CHECK(code(b.ask(ask)) == "needs_ack");
}

TEST_CASE("F08: proof that is not JSON is refused alone, not with its batch") {
  Bench b;
  const JobId id = b.reach(kRelay, "STREAMING");
  const JobId other = b.add(kBook);
  Ask broken = b.draft(id, On::ack);
  broken.proof.data = "{";

  const auto answers = b.jobs().move(std::vector{broken, b.draft(other, On::started)}, b.now());

  CHECK(code(answers[0]) == "bad_proof");
  CHECK(code(answers[1]) == "ok");
  CHECK(b.job(id).version.state == "STREAMING");
}

TEST_CASE("S0-2: two lifecycles have states of one name; a job seen as another kind is stale") {
  Bench b;
  const JobId id = b.add(kBook);
  Ask ask = b.draft(id, On::fail);
  ask.version.lifecycle = &kMedia;

  CHECK(code(b.ask(ask)) == "stale");
  CHECK(b.job(id).version.state == "queued");
}

TEST_CASE("S0-22, S4-6: a move that records an asset is refused without one") {
  for (const Lifecycle* table : {&kBook, &kMedia, &kImage}) {
    Bench b;
    const char* from = table == &kImage ? "running" : table == &kBook ? "downloading" : "completed";
    const JobId id = b.reach(*table, from);
    Ask ask = b.draft(id, On::landed);
    ask.assets.clear();
    const Trace before = trace(b, id);

    CHECK(code(b.ask(ask)) == "needs_asset");

    CHECK((trace(b, id) == before));
  }
}

TEST_CASE("Z-6, S1-4: a move's event says from, to, on, by, reason and the proof") {
  Bench b;
  const JobId id = b.reach(kRelay, "STREAMING");
  CHECK(last_move(b, id) == "DOWNLOADING>STREAMING stream worker '' ''");
  Ask ask = b.draft(id, On::requeue);
  ask.reason = "timeout";
  ask.detail = "no byte for 30 s";
  REQUIRE(b.after(5s).ask(ask).has_value());

  CHECK(last_move(b, id) == "STREAMING>QUEUED requeue worker 'timeout' ''");
  const Event event = b.store().events().of(id, {}, 100).back();
  CHECK((event.at == b.now()));
  CHECK(event.seq == b.version(id).seq);

  REQUIRE(b.ask(id, On::expire).has_value());
  CHECK(last_move(b, id) == "QUEUED>EXPIRED expire timer '' ''");
  const JobId other = b.reach(kRelay, "STREAMING");
  ask = b.draft(other, On::ack);
  ask.proof.data = R"({"message_id":7})";
  REQUIRE(b.ask(ask).has_value());
  CHECK(last_move(b, other) == R"(STREAMING>DELIVERED ack worker '' '{"message_id":7}')");
}

TEST_CASE("A0-1, Z-2: two moves of one job in one batch: the second sees the first") {
  Bench b;
  const JobId id = b.add(kBook);
  const Ask first = b.draft(id, On::started);
  Ask second{.version = first.version,
             .on = On::landed,
             .proof = {Proof::evidence, R"({"size":1})"},
             .holds = {Guard::file_in_place},
             .assets = {AssetFacts{.book = "b", .media_type = "text", .path = "/b"}}};
  second.version.state = "downloading";
  second.version.seq = 1;

  const auto answers = b.jobs().move(std::vector{first, second}, b.now());

  CHECK(code(answers[0]) == "ok");
  CHECK((answers[1] == JobVersion{id, &kBook, "completed", 2, 0, 0}));
  CHECK(b.trail(id) == "queued > downloading > completed");
}

TEST_CASE(
    "F08: a refused ask does not hold up the others of its batch; what follows on it falls too") {
  Bench b;
  const JobId one = b.add(kBook);
  const JobId two = b.add(kBook);
  Ask stale = b.draft(one, On::started);
  stale.version.seq = 7;
  Ask follows = stale;
  follows.version.state = "downloading";
  follows.version.seq = 8;
  follows.on = On::fail;

  const auto answers =
      b.jobs().move(std::vector{stale, follows, b.draft(two, On::started)}, b.now());

  CHECK(code(answers[0]) == "stale");
  CHECK(code(answers[1]) == "stale");
  CHECK(code(answers[2]) == "ok");
  CHECK(b.job(one).version.state == "queued");
}

TEST_CASE("S0-21: of two equal asks the first wins, the second is told it was late") {
  Bench b;
  const JobId id = b.add(kBook);
  const Ask ask = b.draft(id, On::started);

  const auto answers = b.jobs().move(std::vector{ask, ask}, b.now());

  CHECK(code(answers[0]) == "ok");
  CHECK(code(answers[1]) == "stale");
  CHECK(answers[1].error().kind == RefusalKind::stale);
  CHECK(b.trail(id) == "queued > downloading");
}

TEST_CASE("promise 17: 4,000 moves fit a batch, 4,001 are refused and none is made; none is fine") {
  Bench b;
  const JobId id = b.add(kBook);
  std::vector<Ask> asks(4001, b.draft(id, On::started));

  CHECK(b.jobs().move({}, b.now()).empty());
  CHECK_THROWS_AS(b.jobs().move(asks, b.now()), StoreFault);
  CHECK(b.job(id).version.state == "queued");
  asks.pop_back();
  CHECK(code(b.jobs().move(asks, b.now()).front()) == "ok");
}

// Ended jobs that their users delete: hidden from lists and counts, and otherwise kept.

#include <doctest/doctest.h>

#include "support/store/bench.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

// The ids of a list: "3 1".
std::string listed(Bench& b, const JobFilter& filter) {
  std::string text;
  for (const Job& job : b.reader().list(filter).jobs)
    text += (text.empty() ? "" : " ") + std::to_string(job.version.id.value);
  return text;
}

std::string tally(Bench& b, UserId owner = {}) {
  std::string text;
  for (const StateCount& count : b.reader().tally(owner))
    text += (text.empty() ? "" : ", ") + std::string{count.lifecycle->name} + "." +
            std::string{count.state} + " " + std::to_string(count.jobs);
  return text;
}

MoveAnswer hide(Bench& b, JobId id) {
  return b.jobs().hide(b.version(id), OwnFiles::keep, b.now());
}

}  // namespace

TEST_CASE("a hidden job leaves every list, search and count, and is still found by its id") {
  Bench b;
  const JobId kept = b.reach(kBook, "failed");
  const JobId hidden = b.reach(kBook, "failed");
  const UserId owner = b.job(hidden).owner;
  REQUIRE(tally(b) == "book.failed 2");
  REQUIRE(tally(b, owner) == "book.failed 2");
  REQUIRE(b.reader().reasons({}).front().jobs == 2);

  b.after(1s);
  REQUIRE(hide(b, hidden));

  const std::string rest = std::to_string(kept.value);
  for (const JobFilter& filter :
       {JobFilter{}, JobFilter{.lifecycle = "book"}, JobFilter{.end = End::bad},
        JobFilter{.lifecycle = "book", .state = "failed"}, JobFilter{.owner = owner},
        JobFilter{.outcome = Outcome::nothing}, JobFilter{.sort = JobSort::moved},
        JobFilter{.sort = JobSort::ended}})
    CHECK(listed(b, filter) == rest);
  CHECK(listed(b, {.q = std::to_string(hidden.value)}).empty());
  CHECK(tally(b) == "book.failed 1");
  CHECK(tally(b, owner) == "book.failed 1");
  CHECK(b.reader().reasons({}).front().jobs == 1);
  CHECK(b.job(hidden).hidden_at == b.now());
  CHECK(b.job(hidden).version.state == "failed");
  CHECK(b.event_types(hidden).ends_with(" HIDDEN"));
}

TEST_CASE("the count of a store that was never counted leaves hidden jobs out, too") {
  Bench b;
  b.reach(kBook, "failed");
  const JobId hidden = b.reach(kBook, "failed");
  REQUIRE(hide(b, hidden));
  CHECK(tally(b) == "book.failed 1");
}

TEST_CASE("hiding twice changes nothing and writes one event") {
  Bench b;
  const JobId id = b.reach(kBatch, "COMPLETED");
  REQUIRE(hide(b, id));
  const Job first = b.job(id);
  b.after(1h);
  REQUIRE(hide(b, id));
  CHECK(b.job(id) == first);
  CHECK(b.event_types(id).find("HIDDEN") == b.event_types(id).rfind("HIDDEN"));
}

TEST_CASE("an open job is not hidden, in any state of any lifecycle; an ended one is") {
  for (const Lifecycle* table : all_lifecycles()) {
    if (is_item(*table)) continue;
    for (const State& state : table->states) {
      Bench b;
      const JobId id = b.reach(*table, state.name);
      const MoveAnswer answer = hide(b, id);
      CAPTURE(table->name);
      CAPTURE(state.name);
      CHECK(answer.has_value() != state.is_open());
      if (!answer) CHECK(answer.error().code == "open");
      CHECK(b.job(id).hidden_at.has_value() != state.is_open());
    }
  }
}

TEST_CASE("a job that has moved since it was read is not hidden") {
  Bench b;
  const JobId id = b.reach(kMedia, "failed");
  const JobVersion before = b.version(id);
  REQUIRE(b.ask(id, On::retry));
  const MoveAnswer answer = b.jobs().hide(before, OwnFiles::keep, b.now());
  REQUIRE_FALSE(answer);
  CHECK(answer.error().kind == RefusalKind::stale);
  CHECK_FALSE(b.job(id).hidden_at);
}

TEST_CASE("a retry shows a hidden job again, in lists and counts") {
  Bench b;
  const JobId id = b.reach(kMedia, "failed");
  REQUIRE(tally(b) == "media.failed 1");
  REQUIRE(hide(b, id));
  REQUIRE(tally(b).empty());
  REQUIRE(b.ask(id, On::retry));

  CHECK_FALSE(b.job(id).hidden_at);
  CHECK(tally(b) == "media.queued 1");
  CHECK(listed(b, {}) == std::to_string(id.value));
}

TEST_CASE("F45: hiding a paid image changes no wallet, no ledger row and no audit entry") {
  Bench b;
  Ledger& ledger = b.store().ledger();
  REQUIRE(ledger.grant(kAdmin, 10, "gift", b.now()));
  const JobId id = b.add({.lifecycle = &kImage, .request = request_for(kImage), .price = 4})->id;
  for (const On on : {On::claim, On::landed}) REQUIRE(b.ask(id, on));
  ledger.audit(kAdmin, id, "JOB_RETRIED", "as before", b.now());
  const Wallet wallet = ledger.wallet(kAdmin);
  const std::vector<Credit> rows = ledger.entries(kAdmin, 0, 100);
  const std::vector<AuditEntry> audit = ledger.audits(0, 100);
  REQUIRE(wallet == Wallet{.granted = 10, .available = 6, .reserved = 0, .spent = 4});
  REQUIRE(rows.size() == 3);
  REQUIRE(audit.size() == 1);

  b.after(1h);
  REQUIRE(hide(b, id));

  CHECK(b.job(id).hidden_at);
  CHECK(ledger.wallet(kAdmin) == wallet);
  CHECK(ledger.entries(kAdmin, 0, 100) == rows);
  CHECK(ledger.audits(0, 100) == audit);
  CHECK(ledger.reserved_for(id) == 4);
}

TEST_CASE("A4-9: the keys of a hidden job answer with it, and nothing is done twice") {
  Bench b;
  const NewJob job{.lifecycle = &kBatch, .request = request_for(kBatch), .caller_key = "mine"};
  const JobId id = b.add(job).value().id;
  REQUIRE(b.ask(id, On::cancel));
  REQUIRE(hide(b, id));
  CHECK(b.add(job) == AddAnswer{Added{id, true}});
}

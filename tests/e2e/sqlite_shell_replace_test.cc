// OR REPLACE deletes rows without firing delete triggers (recursive_triggers is off in the shell),
// and OR IGNORE skips a CHECK inside a trigger. Neither may bypass the rules that the other shell
// tests check. Two bypasses stay open, because closing them would slow down every move: see
// ARCHITECTURE.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "support/store/stopped_store.h"

using namespace haul;
using namespace haul::testing;

namespace {

std::string replace_job(JobId id, const char* columns = "", const char* values = "") {
  return fmt::format(
      R"(INSERT OR REPLACE INTO jobs (id, lifecycle, state, "end", seq, fence, attempt, owner, lane,
         due_at, paused, created_at, moved_at{}) VALUES ({}, 'book', 'queued', 'open', 0, 0, 0, 1,
         'l', 1, 0, 1, 1{}))",
      columns, id.value, values);
}

void grant(Bench& b) { REQUIRE(b.store().ledger().grant(kAdmin, 100, "gift", b.now())); }

void fill_batch(Bench& b) {
  const JobId job = b.reach(kBatch, "RUNNING");
  const NewItem found[] = {{"a", "https://h/a", {}}, {"b", "https://h/b", {}}};
  REQUIRE(b.store().items().add(b.hold(job), found, Enumeration::complete, b.now()));
  const ItemMove skip{.n = 1, .from = "PENDING", .on = On::skip, .holds = {Guard::filtered_out}};
  REQUIRE(b.store().items().move(b.hold(job), {&skip, 1}, b.now()).front().has_value());
}

}  // namespace

TEST_CASE("promise 3: REPLACE does not edit a request") {
  const StoppedStore store{[](Bench& b) { b.add(kBook); }};

  check_refused(store, R"(REPLACE INTO requests (job, body) VALUES (1, '{"other":1}'))", {});
}

TEST_CASE("promise 3: REPLACE does not start an ended job again") {
  JobId job;
  const StoppedStore store{[&](Bench& b) { job = b.reach(kBook, "failed"); }};

  check_refused(store, replace_job(job), {});
}

TEST_CASE("promise 14: REPLACE does not push a job out of its slot") {
  const StoppedStore store{[](Bench& b) {
    REQUIRE(b.add({.lifecycle = &kBook, .request = request_for(kBook), .slot = "1/b1/text"}));
  }};

  check_refused(store, replace_job({7}, ", slot", ", '1/b1/text'"), {});
}

TEST_CASE("Z-16: REPLACE does not edit an audit row") {
  const StoppedStore store{
      [](Bench& b) { b.store().ledger().audit(kAdmin, {}, "SAFE_BLOCK", "nsfw", b.now()); }};

  check_refused(store,
                "REPLACE INTO audit (id, at, user_hash, action) VALUES (1, 1, 'x', 'NOTHING')", {});
}

TEST_CASE("F45: REPLACE does not write a grant twice") {
  const StoppedStore store{grant};

  check_refused(store,
                "REPLACE INTO credits (id, owner, kind, amount, at) VALUES (1, 1, 'grant', 100, 1)",
                {});
}

TEST_CASE("F45: no form of INSERT pays a grant's key twice") {
  const StoppedStore store{[](Bench& b) {
    REQUIRE(b.store().ledger().grant({.owner = kAdmin, .amount = 100, .detail = "gift", .key = "k"},
                                     b.now()));
  }};
  for (const char* how : {"INSERT", "REPLACE", "INSERT OR IGNORE"})
    check_refused(store,
                  std::string{how} +
                      " INTO credits (owner, kind, amount, at, key) "
                      "VALUES (1, 'grant', 100, 1, 'k')",
                  {"pays once"});
}

TEST_CASE("F45: OR IGNORE does not reserve more than there is") {
  const StoppedStore store{[](Bench& b) {
    grant(b);
    b.add(kBook);
  }};

  check_refused(store,
                "INSERT OR IGNORE INTO credits (owner, job, kind, amount, at) "
                "VALUES (1, 1, 'reserve', 101, 1)",
                {});
}

TEST_CASE("promise 13: a wallet changes by its credits only") {
  const StoppedStore store{grant};

  check_refused(store, "UPDATE wallets SET granted = granted + 5, available = available + 5", {});
}

TEST_CASE("promise 2: a lifecycle spelled like a JSON path is refused too") {
  const StoppedStore store{[](Bench&) {}};

  check_refused(store,
                R"(INSERT INTO jobs (lifecycle, state, "end", seq, fence, attempt, owner, lane,
                   due_at, paused, created_at, moved_at)
                   VALUES ('$.a', 'nonsense', 'open', 0, 0, 0, 1, 'l', 1, 0, 1, 1))",
                {});
}

TEST_CASE("promise 14: REPLACE with another scope does not push a job off its key") {
  const StoppedStore store{[](Bench& b) {
    REQUIRE(b.add(
        {.lifecycle = &kBook, .request = request_for(kBook), .key = {"click", KeyScope::forever}}));
  }};

  check_refused(store, replace_job({7}, ", key, key_scope", ", 'click', 'window'"), {});
}

TEST_CASE("002: REPLACE does not put an item in the place of one with its key") {
  const StoppedStore store{fill_batch};

  check_refused(store,
                "REPLACE INTO items (id, job, n, key, url, state, updated_at) "
                "VALUES ((1 << 24) + 9, 1, 9, 'a', 'https://h/a', 'PENDING', 1)",
                {"replaced"});
}

TEST_CASE("002 Counter Semantics: counts do not shrink by REPLACE either") {
  const StoppedStore store{fill_batch};

  check_refused(store, "REPLACE INTO counts (job, total) VALUES (1, 0)", {});
}

TEST_CASE("002 Counter Semantics: counts are not deleted") {
  const StoppedStore store{fill_batch};

  check_refused(store, "DELETE FROM counts", {});
}

TEST_CASE("promise 13: a wallet is not deleted") {
  const StoppedStore store{grant};

  check_refused(store, "DELETE FROM wallets", {});
}

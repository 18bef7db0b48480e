// Rules that the database itself enforces for credits, the audit log, items, counters and the
// contract views (promise 13, F45, Z-7, Z-16, Z-19), tried with the sqlite3 shell on a stopped
// store.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "support/store/stopped_store.h"

using namespace haul;
using namespace haul::testing;

namespace {

struct Paid {
  JobId open;      // 30 reserved, not resolved.
  JobId refunded;  // 20 reserved and refunded.
  JobId other;     // A book, so nothing is reserved.
};

// Grants 100 to the admin: 70 are available, 30 reserved.
void fill_ledger(Bench& b, Paid& paid) {
  REQUIRE(b.store().ledger().grant(kAdmin, 100, "gift", b.now()));
  const auto image = [&](int number, std::int64_t price) {
    return b.add({.lifecycle = &kImage, .request = request_for(kImage, number), .price = price})
        ->id;
  };
  paid.open = image(1, 30);
  paid.refunded = image(2, 20);
  REQUIRE(b.ask(paid.refunded, On::reject));
  paid.other = b.add(kBook);
  b.store().ledger().audit(kAdmin, paid.open, "SAFE_BLOCK", "nsfw", b.now());
}

std::string credit_sql(const char* kind, JobId job, int amount, int owner = 1) {
  return fmt::format(
      "INSERT INTO credits (owner, job, kind, amount, at) VALUES ({}, {}, '{}', {}, 1)", owner,
      job ? std::to_string(job.value) : "NULL", kind, amount);
}

// A running batch with all items found: 1 pending, 2 in transfer, 3 completed, 4 failed, 5 skipped.
void fill_items(Bench& b, JobId& job) {
  job = b.reach(kBatch, "RUNNING");
  const NewItem found[] = {{"a", "https://h/a", {}},
                           {"b", "https://h/b", {}},
                           {"c", "https://h/c", {}},
                           {"d", "https://h/d", {}},
                           {"e", "https://h/e", {}}};
  Items& items = b.store().items();
  REQUIRE(items.add(b.hold(job), found, Enumeration::complete, b.now()));
  const ItemMove asks[] = {
      {.n = 2, .from = "PENDING", .on = On::start},
      {.n = 3, .from = "PENDING", .on = On::start},
      {.n = 3,
       .from = "DOWNLOADING",
       .on = On::landed,
       .path = "/in/c",
       .proof = {Proof::evidence, R"({"size":1})"},
       .holds = {Guard::file_exists}},
      {.n = 4, .from = "PENDING", .on = On::start},
      {.n = 4, .from = "DOWNLOADING", .on = On::fail, .reason = "http_404"},
      {.n = 5, .from = "PENDING", .on = On::skip, .holds = {Guard::filtered_out}}};
  for (const ItemAnswer& answer : items.move(b.hold(job), asks, b.now())) REQUIRE(answer);
}

std::string item_sql(int n, std::string_view state) {
  return fmt::format("UPDATE items SET state = '{}' WHERE n = {}", state, n);
}

}  // namespace

TEST_CASE("F45: a credit is never edited or deleted") {
  Paid paid;
  const StoppedStore store{[&](Bench& b) { fill_ledger(b, paid); }};

  check_refused(store, "UPDATE credits SET amount = 1000 WHERE kind = 'grant'", {"ledger"});
  check_refused(store, "UPDATE credits SET detail = 'x'", {"ledger"});
  check_refused(store, "DELETE FROM credits WHERE kind = 'reserve'", {"ledger"});
  check_refused(store, "DELETE FROM credits", {"ledger"});
}

TEST_CASE("F45: only what was reserved is spent or refunded, whole, once, by its owner") {
  Paid paid;
  const StoppedStore store{[&](Bench& b) {
    fill_ledger(b, paid);
    REQUIRE(b.store().users().add("ann", Role::adder, b.now()));
  }};

  check_allowed(store, credit_sql("spend", paid.open, 30));
  check_refused(store, credit_sql("spend", paid.other, 1), {"reserved"});
  check_refused(store, credit_sql("refund", paid.other, 1), {"reserved"});
  check_refused(store, credit_sql("spend", paid.open, 29), {"reserved"});
  check_refused(store, credit_sql("refund", paid.open, 31), {"reserved"});
  check_refused(store, credit_sql("refund", paid.open, 30, 2), {"reserved"});
  check_refused(store, credit_sql("refund", paid.refunded, 20), {"one resolution"});
  check_refused(store, credit_sql("spend", paid.refunded, 20), {"one resolution"});
  check_refused(store, credit_sql("reserve", paid.open, 1), {"one reservation"});
}

TEST_CASE("promise 13: no wallet goes below zero, by one credit too many or by an amount below") {
  Paid paid;
  const StoppedStore store{[&](Bench& b) { fill_ledger(b, paid); }};

  check_allowed(store, credit_sql("reserve", paid.other, 70));
  check_refused(store, credit_sql("reserve", paid.other, 71), {"reserve"});
  check_refused(store, credit_sql("grant", {}, -1), {"amount"});
  check_refused(store, credit_sql("grant", paid.other, 5), {"kind"});
  check_refused(store, credit_sql("gift", {}, 5), {"kind"});
  check_refused(store, "UPDATE wallets SET available = -1, spent = spent + 71",
                {"sum of its entries"});
  check_refused(store, "UPDATE wallets SET available = available + 1", {"sum of its entries"});
}

TEST_CASE("promise 13: what the shell may write keeps the wallet equal to the sum of its credits") {
  Paid paid;
  const StoppedStore store{[&](Bench& b) { fill_ledger(b, paid); }};

  REQUIRE(store.shell(credit_sql("grant", {}, 5)).code == 0);
  REQUIRE(store.shell(credit_sql("spend", paid.open, 30)).code == 0);

  CHECK(store.answer("SELECT granted, available, reserved, spent FROM wallets") == "105|75|0|30\n");
}

TEST_CASE("Z-16: an audit row is never edited or deleted") {
  Paid paid;
  const StoppedStore store{[&](Bench& b) { fill_ledger(b, paid); }};

  check_refused(store, "UPDATE audit SET action = 'NOTHING'", {"audit"});
  check_refused(store, "UPDATE audit SET detail = NULL", {"audit"});
  check_refused(store, "DELETE FROM audit", {"audit"});
}

TEST_CASE("Z-7: an item moves as its table says, and an ended one not at all") {
  JobId job;
  const StoppedStore store{[&](Bench& b) { fill_items(b, job); }};

  for (const auto& [n, from] : {std::pair{1, "PENDING"}, {2, "DOWNLOADING"}})
    for (const State& to : kItem.states) {
      if (to.name == from) continue;
      bool legal = false;
      for (const Move& move : kItem.moves) legal |= move.to == to.name && move.from.contains(from);
      const bool with_proof = to.name == "COMPLETED";
      if (!legal)
        check_refused(store, item_sql(n, to.name), {fmt::format("item: {} -> {}", from, to.name)});
      else if (!with_proof)
        check_allowed(store, item_sql(n, to.name));
    }
  check_refused(store, item_sql(1, "PAUSED"), {"item: PENDING -> PAUSED"});
  for (const int ended : {3, 4, 5}) {
    check_refused(store, fmt::format("UPDATE items SET have = 1 WHERE n = {}", ended), {"ended"});
    for (const State& to : kItem.states) check_refused(store, item_sql(ended, to.name), {"item"});
  }
}

TEST_CASE("002 Item Rules: an item starts PENDING, is never deleted, and completes with evidence") {
  JobId job;
  const StoppedStore store{[&](Bench& b) { fill_items(b, job); }};
  const auto insert = [&](const char* state) {
    return fmt::format(
        "INSERT INTO items (id, job, n, key, url, state, updated_at) "
        "VALUES (({0} << 24) + 9, {0}, 9, 'z', 'u', '{1}', 1)",
        job.value, state);
  };

  check_allowed(store, insert("PENDING"));
  check_refused(store, insert("COMPLETED"), {"item", "COMPLETED"});
  check_refused(store, insert("LOST"), {"item", "LOST"});
  check_refused(store,
                "INSERT INTO items (id, job, n, key, url, state, updated_at) "
                "VALUES (9, 1, 9, 'z', 'u', 'PENDING', 1)",
                {"id = "});
  check_refused(store, "DELETE FROM items WHERE n = 1", {"items"});
  check_refused(store, item_sql(2, "COMPLETED"), {"evidence"});
  check_allowed(store, item_sql(2, "COMPLETED', path = '/in/b', evidence = '{\"size\":1}"));
}

TEST_CASE("002 Counter Semantics: counts do not shrink, and total is fixed once all is found") {
  JobId job;
  const StoppedStore store{[&](Bench& b) { fill_items(b, job); }};

  check_allowed(store, "UPDATE counts SET failed = failed + 1");
  for (const char* count : {"downloaded", "skipped", "failed"})
    check_refused(store, fmt::format("UPDATE counts SET {0} = {0} - 1", count), {"grow"});
  check_refused(store, "UPDATE counts SET enumerated = 0", {"grow"});
  check_refused(store, "UPDATE counts SET total = total + 1", {"total"});
  check_refused(store, "UPDATE counts SET total = total - 1", {});
  check_refused(store, "UPDATE counts SET downloaded = downloaded + 3", {"total"});
}

TEST_CASE("002 Counter Semantics: until all is found, total grows and does not shrink") {
  const StoppedStore store{[](Bench& b) {
    const JobId job = b.reach(kBatch, "RUNNING");
    const NewItem found[] = {{"a", "https://h/a", {}}};
    REQUIRE(b.store().items().add(b.hold(job), found, Enumeration::goes_on, b.now()));
  }};

  check_allowed(store, "UPDATE counts SET total = total + 1");
  check_refused(store, "UPDATE counts SET total = total - 1", {"grow"});
}

TEST_CASE("Z-19: the contract views take no INSERT, UPDATE or DELETE") {
  const StoppedStore store{[](Bench& b) { b.reach(kBook, "completed"); }};

  for (const auto& [view, column] : {std::pair{"contract_book_download_jobs", "status"},
                                     {"contract_book_media_assets", "status"},
                                     {"contract_books", "state"},
                                     {"contract_media_downloads", "status"},
                                     {"contract_batch_jobs", "status"},
                                     {"contract_batch_events", "type"},
                                     {"contract_batch_job_items", "status"},
                                     {"contract_relay_jobs", "state"},
                                     {"contract_image_jobs", "status"},
                                     {"contract_image_audit", "action"}}) {
    check_refused(store, fmt::format("INSERT INTO {} ({}) VALUES ('x')", view, column), {view});
    check_refused(store, fmt::format("UPDATE {} SET {} = 'x'", view, column), {view});
    check_refused(store, fmt::format("DELETE FROM {}", view), {view});
  }
  CHECK(store.answer("SELECT count(*) FROM sqlite_schema WHERE type = 'view' AND name LIKE "
                     "'contract%'") == "10\n");
}

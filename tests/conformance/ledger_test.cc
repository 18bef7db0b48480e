// Credits are reserved, spent and refunded once, and none is ever lost or made (promise 13, F45).

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "base/hash.h"
#include "support/store/bench.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

constexpr std::int64_t kGrantMax = 1'000'000'000'000;

// A store whose admin has ten credits, and an image job that costs four.
struct Shop {
  Bench b;
  JobId id = buy();

  Ledger& ledger() { return b.store().ledger(); }
  JobId buy() {
    CHECK(ledger().grant(kAdmin, 10, "gift", b.now()).has_value());
    return b.add({.lifecycle = &kImage, .request = request_for(kImage), .price = 4})->id;
  }
  void go(std::initializer_list<On> path) {
    for (const On on : path) REQUIRE(b.ask(id, on).has_value());
  }
  void lose() {
    const Silence silence{.worker = b.worker(), .beat = 0, .lifecycle = &kImage};
    REQUIRE(b.jobs().rescue(silence, {}, b.now()).moved == 1);
  }
  // "grant 10, reserve 4": all entries, oldest first.
  std::string entries() {
    std::string text;
    for (const Credit& c : ledger().entries(kAdmin, 0, 100))
      text += (text.empty() ? "" : ", ") + c.kind + " " + std::to_string(c.amount);
    return text;
  }
  // "available/reserved/spent of granted".
  std::string wallet() {
    const Wallet w = ledger().wallet(kAdmin);
    CHECK(w.available + w.reserved + w.spent == w.granted);
    return std::to_string(w.available) + "/" + std::to_string(w.reserved) + "/" +
           std::to_string(w.spent) + " of " + std::to_string(w.granted);
  }
};

}  // namespace

TEST_CASE("S4-3: adding reserves, in the same step") {
  Shop s;

  CHECK(s.entries() == "grant 10, reserve 4");
  CHECK(s.wallet() == "6/4/0 of 10");
  const Credit reserve = s.ledger().entries(kAdmin, 0, 10).at(1);
  CHECK((reserve.job == s.id));
  CHECK((reserve.at == s.b.now()));
}

TEST_CASE("S4-7, S4-9: success spends the reservation once, however many tries it took") {
  Shop s;
  s.go({On::claim, On::fail, On::requeue, On::claim, On::fail, On::requeue, On::claim});
  CHECK(s.entries() == "grant 10, reserve 4");

  s.go({On::landed});

  CHECK(s.entries() == "grant 10, reserve 4, spend 4");
  CHECK(s.wallet() == "6/0/4 of 10");
}

TEST_CASE("S4-14: dead_letter refunds the reservation, once") {
  Shop s;
  s.go({On::claim, On::fail});
  CHECK(s.wallet() == "6/4/0 of 10");

  s.go({On::give_up});

  CHECK(s.entries() == "grant 10, reserve 4, refund 4");
  CHECK(s.wallet() == "10/0/0 of 10");
}

TEST_CASE("S4-15: a lost worker neither spends nor refunds; giving up after three losses refunds") {
  Shop s;
  for (int loss = 1; loss <= 3; ++loss) {
    s.go({On::claim});
    s.lose();
    CHECK(s.wallet() == "6/4/0 of 10");
    if (loss < 3) s.go({On::requeue});
  }

  s.go({On::give_up});

  CHECK(s.entries() == "grant 10, reserve 4, refund 4");
}

TEST_CASE("A4-2: rejected while queued is refunded, nothing was spent; and no audit") {
  Shop s;

  s.go({On::reject});

  CHECK(s.entries() == "grant 10, reserve 4, refund 4");
  CHECK(s.wallet() == "10/0/0 of 10");
  CHECK(s.ledger().audits(0, 10).empty());
}

TEST_CASE("S4-10, A4-2: rejected by the provider is spent as a penalty") {
  Shop s;

  s.go({On::claim, On::reject});

  CHECK(s.entries() == "grant 10, reserve 4, spend 4");
  CHECK(s.wallet() == "6/0/4 of 10");
}

TEST_CASE(
    "S4-10, S4-11, Z-16: SAFE_BLOCK is audited with the reason, without prompt or plain user") {
  Shop s;
  s.go({On::claim});
  Ask ask = s.b.draft(s.id, On::reject);
  ask.reason = "violence";
  ask.detail = "a boat 1 is not allowed";
  REQUIRE(s.b.after(2s).ask(ask).has_value());

  const std::vector<AuditEntry> audits = s.ledger().audits(0, 10);
  REQUIRE(audits.size() == 1);
  const AuditEntry& entry = audits[0];
  CHECK(entry.action == "SAFE_BLOCK");
  CHECK(entry.detail == "violence");
  CHECK((entry.job == s.id));
  CHECK((entry.at == s.b.now()));
  CHECK(entry.user_hash.size() == 64);
  CHECK(entry.user_hash != sha256_hex("1"));
}

TEST_CASE("S4-11: one user has one hash within a store, and another in another store") {
  std::vector<AuditEntry> first;
  for (int store = 0; store < 2; ++store) {
    Bench b;
    const UserId ann = b.store().users().add("ann", Role::adder, b.now())->id;
    b.store().ledger().audit(kAdmin, {}, "LOGIN", "", b.now());
    b.store().ledger().audit(ann, {}, "LOGIN", "", b.now());
    b.store().ledger().audit(kAdmin, {}, "LOGOUT", "", b.now());
    const std::vector<AuditEntry> audits = b.store().ledger().audits(0, 10);
    CHECK(audits[0].user_hash == audits[2].user_hash);
    CHECK(audits[0].user_hash != audits[1].user_hash);
    if (store == 0) first = audits;
    if (store == 1) CHECK(audits[0].user_hash != first[0].user_hash);
  }
}

TEST_CASE("a grant is paid once for each owner and key; another amount under it is refused") {
  Bench b;
  const UserId ann = b.store().users().add("ann", Role::adder, b.now()).value().id;
  const auto grant = [&](UserId owner, std::int64_t amount, const char* detail, const char* key) {
    const auto answer = b.store().ledger().grant(
        {.owner = owner, .amount = amount, .detail = detail, .key = key}, b.now());
    if (!answer) return answer.error().code;
    return fmt::format("{}{}", answer->wallet.granted, answer->replayed ? " again" : "");
  };
  CHECK(grant(ann, 5, "march", "k") == "5");
  CHECK(grant(ann, 5, "march", "k") == "5 again");
  CHECK(grant(ann, 6, "march", "k") == "key_reused");
  CHECK(grant(ann, 5, "april", "k") == "key_reused");
  CHECK(grant(ann, 5, "march", "l") == "10");
  CHECK(grant(kAdmin, 5, "march", "k") == "5");
  CHECK(grant(ann, 1, "", "") == "11");
  CHECK(grant(ann, 1, "", "") == "12");
  CHECK(b.store().ledger().entries(ann, 0, 10).size() == 4);
}

TEST_CASE("Z-16: audits keep what they were given and are paged by id, oldest first") {
  Bench b;
  const JobId job = b.add(kBook);
  for (const char* action : {"A", "B", "C"})
    b.store().ledger().audit(kAdmin, job, action, "why", b.after(1s).now());

  const std::vector<AuditEntry> all = b.store().ledger().audits(0, 10);
  REQUIRE(all.size() == 3);
  CHECK(all[0].action + all[1].action + all[2].action == "ABC");
  CHECK((all[1].job == job));
  CHECK(all[1].detail == "why");
  CHECK((all[1].at == b.now() - 1s));
  CHECK(b.store().ledger().audits(all[0].id, 1).at(0).action == "B");
  CHECK(b.store().ledger().audits(all[2].id, 10).empty());
}

TEST_CASE("the audit log is paged from the newest too, missing none") {
  Bench b;
  for (const char* action : {"A", "B", "C", "D", "E"})
    b.store().ledger().audit(kAdmin, {}, action, "", b.now());
  const auto actions = [&](std::int64_t before, std::size_t limit) {
    std::string text;
    for (const AuditEntry& entry : b.store().ledger().audits_before(before, limit))
      text += entry.action;
    return text;
  };

  CHECK(actions(0, 10) == "EDCBA");
  CHECK(actions(0, 2) == "ED");
  CHECK(actions(4, 2) == "CB");
  CHECK(actions(2, 10) == "A");
  CHECK(actions(1, 10).empty());
  CHECK(actions(0, 0).empty());
}

TEST_CASE("F45: an image that was free has nothing to resolve, on every path") {
  const std::initializer_list<On> paths[] = {{On::reject},
                                             {On::claim, On::reject},
                                             {On::claim, On::landed},
                                             {On::claim, On::fail, On::give_up}};
  for (const auto& path : paths) {
    Bench b;
    const JobId id = b.add(kImage);
    for (const On on : path) REQUIRE(b.ask(id, on).has_value());

    CHECK((b.store().ledger().wallet(kAdmin) == Wallet{}));
  }
}

TEST_CASE("F45, J29: a move that is refused, or repeated, resolves nothing") {
  Shop s;
  s.go({On::claim});
  const Ask landed = s.b.draft(s.id, On::landed);
  Ask late = landed;
  late.version.fence -= 1;

  CHECK_FALSE(s.b.ask(late).has_value());
  CHECK(s.entries() == "grant 10, reserve 4");
  CHECK(s.b.ask(landed).has_value());
  CHECK_FALSE(s.b.ask(landed).has_value());
  CHECK_FALSE(s.b.ask(s.id, On::reject).has_value());

  CHECK(s.entries() == "grant 10, reserve 4, spend 4");
}

TEST_CASE("F45: each job pays for itself: two jobs, one spent, one refunded") {
  Shop s;
  const NewJob job{.lifecycle = &kImage, .request = request_for(kImage, 2), .price = 6};
  const JobId second = s.b.add(job)->id;
  CHECK(s.wallet() == "0/10/0 of 10");
  s.go({On::claim, On::landed});

  REQUIRE(s.b.ask(second, On::reject).has_value());

  CHECK(s.wallet() == "6/0/4 of 10");
  CHECK(s.entries() == "grant 10, reserve 4, reserve 6, spend 4, refund 6");
}

TEST_CASE("promise 17: a grant is from 1 to 10^12 credits, to a user who exists") {
  Bench b;
  const auto grant = [&](UserId user, std::int64_t amount) {
    const auto answer = b.store().ledger().grant(user, amount, "", b.now());
    return answer ? "ok" : answer.error().code;
  };

  CHECK(grant(kAdmin, 0) == "bad_amount");
  CHECK(grant(kAdmin, -1) == "bad_amount");
  CHECK(grant(kAdmin, kGrantMax + 1) == "bad_amount");
  CHECK(grant(UserId{99}, 1) == "no_such_user");
  CHECK((b.store().ledger().wallet(kAdmin) == Wallet{}));

  CHECK(grant(kAdmin, 1) == "ok");
  CHECK(grant(kAdmin, kGrantMax) == "ok");
  CHECK(b.store().ledger().wallet(kAdmin).available == kGrantMax + 1);
}

TEST_CASE("a grant answers with the wallet as it is then, and keeps its detail") {
  Bench b;
  REQUIRE(b.store().ledger().grant(kAdmin, 3, "welcome", b.now()).has_value());

  const auto wallet = b.store().ledger().grant(kAdmin, 4, "birthday", b.after(1s).now());

  CHECK((wallet == Wallet{.granted = 7, .available = 7}));
  const std::vector<Credit> entries = b.store().ledger().entries(kAdmin, 0, 10);
  CHECK(entries[0].detail + " " + entries[1].detail == "welcome birthday");
  CHECK((entries[1].at == b.now()));
  CHECK_FALSE(bool{entries[1].job});
}

TEST_CASE("entries are one owner's, oldest first, paged by id; a stranger has none") {
  Bench b;
  const UserId ann = b.store().users().add("ann", Role::adder, b.now())->id;
  for (const std::int64_t amount : {1, 2, 3}) {
    REQUIRE(b.store().ledger().grant(kAdmin, amount, "", b.now()).has_value());
    REQUIRE(b.store().ledger().grant(ann, 10 * amount, "", b.now()).has_value());
  }

  const std::vector<Credit> all = b.store().ledger().entries(ann, 0, 10);
  REQUIRE(all.size() == 3);
  CHECK(all[0].amount == 10);
  CHECK((all[0].owner == ann));
  CHECK(b.store().ledger().entries(ann, all[0].id, 1).at(0).amount == 20);
  CHECK(b.store().ledger().entries(ann, all[2].id, 10).empty());
  CHECK(b.store().ledger().entries(UserId{99}, 0, 10).empty());
  CHECK((b.store().ledger().wallet(UserId{99}) == Wallet{}));
}

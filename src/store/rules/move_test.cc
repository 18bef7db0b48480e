#include "store/rules/move.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "lifecycle/tables.h"
#include "store/rules/fault.h"

namespace haul::rules {
namespace {

using namespace std::chrono_literals;

constexpr Time kNow = from_unix_ms(1'770'000'000'000);
constexpr WorkerId kHolder{3};

JobVersion seen(const Lifecycle& table, std::string_view state, int attempt = 0) {
  return {.id = JobId{7},
          .lifecycle = &table,
          .state = table.find(state)->name,
          .seq = 4,
          .fence = 2,
          .attempt = attempt};
}

Millis wait_after_loss(const Lifecycle& table, std::string_view state, int attempt,
                       std::optional<double> chance = 0.5) {
  return answer_loss({seen(table, state, attempt), kHolder}, chance, kNow).ask.due_at.value() -
         kNow;
}

}  // namespace

TEST_CASE("S4-15: an image waits 2, 4, 8 s after a lost worker; the others are due at once") {
  CHECK((wait_after_loss(kImage, "running", 0) == 2s));
  CHECK((wait_after_loss(kImage, "running", 1) == 4s));
  CHECK((wait_after_loss(kImage, "running", 2) == 8s));
  CHECK((wait_after_loss(kImage, "running", 0, std::nullopt) == 0s));
  for (const char* state : {"CLAIMED", "DOWNLOADING", "STREAMING"})
    CHECK((wait_after_loss(kRelay, state, 1) == 0s));
  CHECK((wait_after_loss(kBatch, "RUNNING", 3) == 0s));
}

TEST_CASE("a loss is the last if it spends the last attempt; on_fail answers then") {
  const auto kind = [](int attempt) {
    return answer_loss({seen(kMedia, "completed", attempt), kHolder}, 0.5, kNow).kind;
  };
  CHECK((kind(3) == LossAnswer::Kind::adopt));
  CHECK((kind(4) == LossAnswer::Kind::fail));

  const LossAnswer last = answer_loss({seen(kMedia, "completed", 4), kHolder}, 0.5, kNow);
  CHECK((last.ask.on == On::fail));
  CHECK((last.loss == Loss::none));  // The move counts the attempt.
  const LossAnswer batch = answer_loss({seen(kBatch, "RUNNING", 4), kHolder}, 0.5, kNow);
  CHECK((batch.loss == Loss::counted));  // The move does not.
}

TEST_CASE("a lost lease in the same state: fence and attempt + 1, no worker, due now") {
  const JobVersion before = seen(kMedia, "imported", 1);
  const LeaseChange lost = answer_loss({before, kHolder}, 0.5, kNow).change;

  JobVersion after = before;
  after.fence += 1;
  after.attempt += 1;
  CHECK((lost.before == before));
  CHECK((lost.after == after));
  CHECK((lost.from == kHolder));
  CHECK_FALSE(static_cast<bool>(lost.to));
  CHECK((lost.due_at == kNow));
  CHECK(lost.reason == "worker_lost");
  CHECK(lost.note == "LOST");
}

TEST_CASE("Z-18: a film that waited when its worker was lost loses no attempt, not even the last") {
  for (const char* state : {"completed", "imported"})
    for (const int attempt : {0, 4}) {
      const JobVersion before = seen(kMedia, state, attempt);
      const LossAnswer lost = answer_loss({before, kHolder, true}, 0.5, kNow);

      JobVersion after = before;
      after.fence += 1;
      REQUIRE((lost.kind == LossAnswer::Kind::adopt));
      CHECK((lost.change.before == before));
      CHECK((lost.change.after == after));
      CHECK((lost.change.from == kHolder));
      CHECK((lost.change.due_at == kNow));
      CHECK(lost.change.reason.empty());  // The reason to wait stays.
      CHECK(lost.change.note == "RELEASED");
    }
}

TEST_CASE("S3-7, S4-15: where a document counts every loss, a wait does not change that") {
  for (const auto& [table, state] : {std::pair{&kRelay, "DOWNLOADING"}, {&kImage, "running"}}) {
    const LossAnswer waited = answer_loss({seen(*table, state), kHolder, true}, 0.5, kNow);
    CHECK((waited.kind == LossAnswer::Kind::move));
    CHECK((waited.ask.on == On::lost));
  }
  const LossAnswer last = answer_loss({seen(kRelay, "DOWNLOADING", 2), kHolder, true}, 0.5, kNow);
  CHECK((last.kind == LossAnswer::Kind::fail));
}

TEST_CASE("A4-13: a handle is looked at again: a wait costs no attempt, and no loss is the last") {
  const auto lose = [](int attempt, bool waits, bool has_handle) {
    return answer_loss({seen(kImage, "running", attempt), kHolder, waits, has_handle}, 0.5, kNow);
  };
  for (const int attempt : {0, 2}) {
    const LossAnswer waited = lose(attempt, true, true);
    CHECK((waited.kind == LossAnswer::Kind::adopt));
    CHECK(waited.change.after.attempt == attempt);
    CHECK(waited.change.note == "RELEASED");
  }
  CHECK((lose(1, false, true).kind == LossAnswer::Kind::move));
  CHECK((lose(2, false, true).kind == LossAnswer::Kind::adopt));
  CHECK((lose(2, false, false).kind == LossAnswer::Kind::move));
}

TEST_CASE("promise 5: a move to an end settles the acts that no worker will read") {
  class Facts final : public JobFacts {
    bool is_owner_active(JobId) override { return true; }
    bool has_items_left(JobId) override { return false; }
    bool is_replaced(JobId) override { return false; }
  } facts;
  const auto settles = [&](const Lifecycle& table, std::string_view state, On on, By by) {
    const Ask ask{.version = seen(table, state, 3),
                  .on = on,
                  .by = by,
                  .worker = by == By::worker ? kHolder : WorkerId{},
                  .holds = {Guard::spent_or_permanent}};
    const auto granted = grant_move(ask, Loss::none, facts, kNow);
    REQUIRE(granted);
    return std::ranges::any_of(granted->writes, [](const MoveWrite& write) {
      return std::holds_alternative<SettleActs>(write);
    });
  };
  CHECK(settles(kImage, "failed", On::give_up, By::timer));
  CHECK(settles(kImage, "queued", On::reject, By::worker));
  CHECK(settles(kRelay, "STREAMING", On::fail, By::worker));
  CHECK_FALSE(settles(kImage, "running", On::fail, By::worker));
}

TEST_CASE("an adoption raises the fence and nothing else") {
  const JobVersion before = seen(kMedia, "imported", 1);
  const LeaseChange adopted = adopt(before, kHolder);

  JobVersion after = before;
  after.fence += 1;
  CHECK((adopted.after == after));
  CHECK_FALSE(static_cast<bool>(adopted.from));
  CHECK((adopted.to == kHolder));
  CHECK_FALSE(adopted.due_at.has_value());
  CHECK(adopted.reason.empty());
  CHECK(adopted.note == "ADOPTED");
}

TEST_CASE("a lease is given back by a move where the state has one, and else in the same state") {
  const auto back = [](const Lifecycle& table, std::string_view state) {
    return give_back({.version = seen(table, state),
                      .worker = kHolder,
                      .reason = "disk_full",
                      .due_at = kNow + 30s,
                      .detail = "0 bytes left"},
                     kNow);
  };
  const auto relay = back(kRelay, "STREAMING");
  REQUIRE(std::holds_alternative<Ask>(relay));
  CHECK((std::get<Ask>(relay).on == On::release));
  CHECK(std::get<Ask>(relay).detail == "0 bytes left");

  const auto image = back(kImage, "running");
  REQUIRE(std::holds_alternative<LeaseChange>(image));
  const LeaseChange& change = std::get<LeaseChange>(image);
  CHECK((change.after == change.before));
  CHECK((change.due_at == kNow + 30s));
  CHECK(change.reason + ": " + change.detail == "disk_full: 0 bytes left");
}

TEST_CASE("Z-29: a failure counts an attempt of a film, and a retry starts the count over") {
  const JobVersion failed = after_move(seen(kMedia, "queued", 2), On::fail);
  CHECK(failed.attempt == 3);
  const JobVersion retried = after_move(failed, On::retry);
  CHECK(retried.attempt == 0);
  CHECK(retried.fence == failed.fence + 1);
}

TEST_CASE("an attempt is spent at the limit, not one before; without a limit never") {
  CHECK_FALSE(is_spent(kRelay, 2));
  CHECK(is_spent(kRelay, 3));
  Lifecycle unlimited = kRelay;
  unlimited.attempts_max = 0;
  CHECK_FALSE(is_spent(unlimited, 1'000));
}

TEST_CASE("a fault's answer is carried out by a move that answers faults, not by one of a user") {
  const Move* failed = move_to(kMedia, "imported", kMedia.find("imported")->on_fail);
  REQUIRE(failed != nullptr);
  CHECK((failed->on == On::fail));  // A cancel leads to the same state.
  CHECK(move_to(kMedia, "imported", kMedia.find("imported")->on_fault) == nullptr);
}

}  // namespace haul::rules

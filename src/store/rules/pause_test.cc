#include "store/rules/pause.h"

#include <doctest/doctest.h>

#include "lifecycle/tables.h"

namespace haul::rules {
namespace {

using namespace std::chrono_literals;

constexpr Time kNow = from_unix_ms(1'770'000'000'000);

PauseFacts facts_of(std::string_view state, PauseTurn turn = PauseTurn::pause) {
  return {.version = {.id = JobId{7}, .lifecycle = &kBatch, .state = kBatch.find(state)->name},
          .turn = turn};
}

// "PAUSED" or "RESUMED", or the code of the refusal.
std::string answer(const PauseFacts& facts) {
  const auto granted = grant_pause(facts, kNow);
  return granted ? std::string{granted->note} : granted.error().code;
}

}  // namespace

TEST_CASE("an open job that no worker holds is paused and resumed; a held or ended one is not") {
  for (const PauseTurn turn : {PauseTurn::pause, PauseTurn::resume}) {
    const std::string note = turn == PauseTurn::pause ? "PAUSED" : "RESUMED";
    for (const State& state : kBatch.states) {
      CAPTURE(state.name);
      PauseFacts facts = facts_of(state.name, turn);
      CHECK(answer(facts) == (state.is_open() ? note : "ended"));
      facts.is_leased = true;
      CHECK(answer(facts) == (state.is_open() ? "leased" : "ended"));
    }
  }
}

TEST_CASE("a pause that its user has withdrawn is refused before anything else") {
  PauseFacts facts = facts_of(kBatch.initial().name);
  facts.is_withdrawn = true;
  facts.is_leased = true;

  const auto refused = grant_pause(facts, kNow);

  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().code == "taken_back");
  CHECK((refused.error().kind == RefusalKind::stale));
}

TEST_CASE("a pause keeps the due time; a resumed job is due within haul's longest wait") {
  const auto paused = grant_pause(facts_of(kBatch.initial().name), kNow);
  REQUIRE(paused.has_value());
  CHECK(paused->paused);
  CHECK_FALSE(paused->due_latest.has_value());

  const auto resumed = grant_pause(facts_of(kBatch.initial().name, PauseTurn::resume), kNow);
  REQUIRE(resumed.has_value());
  CHECK_FALSE(resumed->paused);
  CHECK((resumed->due_latest == kNow + 10min));
}

}  // namespace haul::rules

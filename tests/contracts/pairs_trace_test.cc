// SX-1: neither extra facts in an ask nor an outdated view of the job breaks a move or undoes a
// write.

#include <doctest/doctest.h>

#include "support/store/bench.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

TEST_CASE("S1-17: a retry that carries a result is answered like any other") {
  Bench b;
  const JobId id = b.reach(kMedia, "failed");
  Ask ask = b.draft(id, On::retry);
  ask.result = R"("left over")";

  const MoveAnswer answer = b.ask(ask);

  CHECK(answer.has_value());
}

TEST_CASE("SX-1: an ask made before a loss was counted does not take the loss back") {
  Bench b;
  const JobId id = b.reach(kMedia, "completed");
  const Ask early = b.draft(id, On::cancel);
  const Rescued lost = b.jobs().rescue({.worker = b.worker(), .lifecycle = &kMedia}, {}, b.now());
  REQUIRE(lost.adopted == 1);
  REQUIRE(b.version(id).attempt == 1);

  (void)b.ask(early);

  CHECK(b.version(id).attempt == 1);
}

}  // namespace
}  // namespace haul::testing

// What a fault does to a relay, an image and an import (documents 001, 003 and 004).

#include "flow/worker/answer.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "lifecycle/tables.h"

namespace haul::flow {
namespace {

using namespace std::chrono_literals;

const Settings kSettings;
constexpr double kEven = 0.5;

Fault fault(FaultKind kind) { return {kind, "code", "detail"}; }

Job job_in(const Lifecycle& table, std::string_view state, int attempt) {
  Job job;
  job.version = {.id = JobId{1}, .lifecycle = &table, .state = table.find(state)->name};
  job.version.attempt = attempt;
  job.reason = "before";
  return job;
}

// "fail code due 2000 > give_up code by system": the moves of a verdict, or its release.
std::string text_of(const Verdict& verdict) {
  std::string text;
  for (const WantedMove& move : verdict.moves) {
    text += (text.empty() ? "" : " > ") + std::string{name(move.on)} + " " + move.reason;
    if (move.due_after) text += fmt::format(" due {}", move.due_after->count());
    if (move.by != By::worker) text += " by " + std::string{name(move.by)};
  }
  if (verdict.observed) text += "seen";
  if (verdict.release_after) text += fmt::format("release {}", verdict.release_after->count());
  return text;
}

std::string relay(std::string_view state, int attempt, FaultKind kind) {
  return text_of(answer(job_in(kRelay, state, attempt), fault(kind), kSettings, kEven));
}

std::string image(int attempt, FaultKind kind) {
  return text_of(answer(job_in(kImage, "running", attempt), fault(kind), kSettings, kEven));
}

constexpr FaultKind kHopeless[] = {FaultKind::permanent, FaultKind::rejected, FaultKind::cancelled};

}  // namespace

TEST_CASE(
    "A3-4, A3-12: a relay goes back to the queue twice, after 2 and 4 s; the third fails it") {
  for (const char* state : {"DOWNLOADING", "STREAMING"}) {
    CHECK(relay(state, 0, FaultKind::retryable) == "requeue code due 2000");
    CHECK(relay(state, 1, FaultKind::retryable) == "requeue code due 4000");
    CHECK(relay(state, 2, FaultKind::retryable) == "fail code");
  }
}

TEST_CASE("a move without attempt_left is made however many attempts failed") {
  const auto requeue = std::ranges::find(kRelay.moves, On::requeue, &Move::on);
  REQUIRE(requeue != kRelay.moves.end());
  std::vector<Move> moves{kRelay.moves.begin(), kRelay.moves.end()};
  moves[static_cast<std::size_t>(requeue - kRelay.moves.begin())].terms.guards = {Guard::retryable};
  Lifecycle unlimited = kRelay;
  unlimited.moves = moves;
  const auto answered = [&](int attempt, FaultKind kind) {
    const Job job = job_in(unlimited, "STREAMING", attempt);
    return text_of(answer(job, fault(kind), kSettings, kEven));
  };
  CHECK(answered(1, FaultKind::retryable) == "requeue code due 4000");
  CHECK(answered(2, FaultKind::retryable) == "requeue code due 8000");
  CHECK(answered(2, FaultKind::permanent) == "fail code");
}

TEST_CASE("A3-12, A4-4: the wait that a server asks for counts if it is longer than the backoff") {
  const auto waits = [](const Job& job, FaultKind kind, Millis wait) {
    return text_of(answer(job, fault(kind), kSettings, kEven, wait));
  };
  const Job relay_job = job_in(kRelay, "DOWNLOADING", 0);
  CHECK(waits(relay_job, FaultKind::retryable, 1'999ms) == "requeue code due 2000");
  CHECK(waits(relay_job, FaultKind::retryable, 2'001ms) == "requeue code due 2001");
  CHECK(waits(job_in(kImage, "running", 1), FaultKind::retryable, 90s) == "fail code due 90000");
  CHECK(waits(relay_job, FaultKind::environment, 29s) == "release 30000");
  CHECK(waits(relay_job, FaultKind::environment, 31s) == "release 31000");
  CHECK(waits(job_in(kMedia, "completed", 0), FaultKind::retryable, 31s) == "release 31000");
}

TEST_CASE("A3-12: a wait that a server asks for ends after haul's longest wait, 10 min") {
  const Job job = job_in(kRelay, "STREAMING", 0);
  const Fault busy = fault(FaultKind::retryable);
  CHECK(text_of(answer(job, busy, kSettings, kEven, 10min)) == "requeue code due 600000");
  CHECK(text_of(answer(job, busy, kSettings, kEven, 24h)) == "requeue code due 600000");
}

TEST_CASE("S3-5: what is not retryable fails a relay at its first try") {
  for (const char* state : {"DOWNLOADING", "STREAMING"})
    for (const FaultKind kind : kHopeless) CHECK(relay(state, 0, kind) == "fail code");
}

TEST_CASE("A3-1: a claimed relay has no way back to the queue but release, so a fault fails it") {
  CHECK(relay("CLAIMED", 0, FaultKind::retryable) == "fail code");
  CHECK(relay("CLAIMED", 0, FaultKind::permanent) == "fail code");
}

TEST_CASE(
    "promise 12: our surroundings burn no attempt of a relay, at the first try and the last") {
  CHECK(relay("DOWNLOADING", 0, FaultKind::environment) == "release 30000");
  CHECK(relay("STREAMING", 2, FaultKind::environment) == "release 30000");
}

TEST_CASE("A4-3, A4-5: an image fails into a wait of 2 and 4 s; the third failure gives up too") {
  CHECK(image(0, FaultKind::retryable) == "fail code due 2000");
  CHECK(image(1, FaultKind::retryable) == "fail code due 4000");
  CHECK(image(2, FaultKind::retryable) == "fail code due 8000 > give_up code by system");
}

TEST_CASE(
    "A4-4: a permanent fault of an image is fail and give_up in one chain, at the first try") {
  CHECK(image(0, FaultKind::permanent) == "fail code due 2000 > give_up code by system");
  CHECK(image(0, FaultKind::cancelled) == "fail code due 2000 > give_up code by system");
}

TEST_CASE("004 §2E: a safety block rejects, at the first try and the last, and never retries") {
  CHECK(image(0, FaultKind::rejected) == "reject code");
  CHECK(image(2, FaultKind::rejected) == "reject code");
}

TEST_CASE("promise 12: our surroundings burn no attempt of an image") {
  CHECK(image(0, FaultKind::environment) == "release 30000");
  CHECK(image(2, FaultKind::environment) == "release 30000");
}

TEST_CASE("A4-3, A4-5: the timer tries again at attempt 2 and gives up at attempt 3") {
  const auto timer = [](int attempt) {
    return text_of(answer_wait(job_in(kImage, "failed", attempt)));
  };
  CHECK(timer(1) == "requeue before by timer");
  CHECK(timer(2) == "requeue before by timer");
  CHECK(timer(3) == "give_up before by timer");
  CHECK(timer(4) == "give_up before by timer");
}

TEST_CASE("A1-3, S1-19: an import or check that may work later is tried again in 30 s, for ever") {
  for (const char* state : {"completed", "imported"})
    for (const int attempt : {0, 4, 100})
      for (const FaultKind kind : {FaultKind::retryable, FaultKind::environment})
        CHECK(text_of(answer(job_in(kMedia, state, attempt), fault(kind), kSettings, kEven)) ==
              "release 30000");
}

TEST_CASE("001 Valid Transitions: an import that cannot work fails the job") {
  for (const char* state : {"completed", "imported"})
    for (const FaultKind kind : kHopeless)
      CHECK(text_of(answer(job_in(kMedia, state, 0), fault(kind), kSettings, kEven)) ==
            "fail code");
}

TEST_CASE("Z-8: a job that is released says the code and the detail of the fault") {
  const Fault full{FaultKind::environment, "disk_full", "0 bytes left"};
  const Verdict verdict = answer(job_in(kRelay, "STREAMING", 0), full, kSettings, kEven);

  CHECK(verdict.release_reason == "disk_full");
  CHECK(verdict.release_detail == "0 bytes left");
}

TEST_CASE("Z-8: how long our surroundings are waited for is a setting") {
  const Settings slow{.environment_wait = 5min};
  const Fault full = fault(FaultKind::environment);
  const Job film = job_in(kMedia, "completed", 0);

  CHECK(text_of(answer(job_in(kRelay, "STREAMING", 0), full, slow, kEven)) == "release 300000");
  CHECK(text_of(answer(job_in(kImage, "running", 0), full, slow, kEven)) == "release 300000");
  CHECK(text_of(answer(film, full, slow, kEven)) == "release 300000");
}

}  // namespace haul::flow

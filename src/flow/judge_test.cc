// What a fault means for an item, a relay, an image and an import (documents 001 to 004).

#include "flow/judge.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "lifecycle/tables.h"

namespace haul {
namespace {

using namespace std::chrono_literals;

const Settings kSettings;
constexpr double kEven = 0.5;

Fault fault(FaultKind kind) { return {kind, "code", "detail"}; }

Job job_in(const Lifecycle& table, std::string_view state, int attempt) {
  Job job;
  job.seen = {.id = JobId{1}, .lifecycle = &table, .state = table.find(state)->name};
  job.seen.attempt = attempt;
  job.reason = "before";
  return job;
}

// "fail code due 2000 > give_up code by system": the wishes of a verdict, or its release.
std::string text_of(const Verdict& verdict) {
  std::string text;
  for (const Wish& wish : verdict.wishes) {
    text += (text.empty() ? "" : " > ") + std::string{name(wish.on)} + " " + wish.reason;
    if (wish.due_after) text += fmt::format(" due {}", wish.due_after->count());
    if (wish.by != By::worker) text += " by " + std::string{name(wish.by)};
  }
  if (verdict.note) text += "note";
  if (verdict.release_after) text += fmt::format("release {}", verdict.release_after->count());
  return text;
}

std::string text_of(const ItemVerdict& verdict) {
  const auto counts = fmt::format("attempt {} tries {}", verdict.attempt, verdict.tries);
  switch (verdict.kind) {
    case ItemVerdict::Kind::again:
      return fmt::format("again {} wait {}", counts, verdict.wait.count());
    case ItemVerdict::Kind::fail:
      return "fail " + counts;
    case ItemVerdict::Kind::release:
      return "release";
  }
  return "";
}

enum class Progress : std::uint8_t { none, forward };

std::string item(int attempt, int tries, FaultKind kind, Progress progress = Progress::none) {
  Item it;
  it.attempt = attempt;
  it.tries = tries;
  return text_of(judge_item(it, fault(kind), progress == Progress::forward, kSettings, kEven));
}

std::string relay(std::string_view state, int attempt, FaultKind kind) {
  return text_of(judge_relay(job_in(kRelay, state, attempt), fault(kind), kSettings, kEven));
}

std::string image(int attempt, FaultKind kind) {
  return text_of(judge_image(job_in(kImage, "running", attempt), fault(kind), kSettings, kEven));
}

constexpr FaultKind kHopeless[] = {FaultKind::permanent, FaultKind::rejected, FaultKind::cancelled};

}  // namespace

TEST_CASE("S2-21: an item is tried five times: the fourth failure waits 8 s, the fifth ends it") {
  CHECK(item(0, 0, FaultKind::retryable) == "again attempt 1 tries 1 wait 1000");
  CHECK(item(1, 1, FaultKind::retryable) == "again attempt 2 tries 2 wait 2000");
  CHECK(item(2, 2, FaultKind::retryable) == "again attempt 3 tries 3 wait 4000");
  CHECK(item(3, 3, FaultKind::retryable) == "again attempt 4 tries 4 wait 8000");
  CHECK(item(4, 4, FaultKind::retryable) == "fail attempt 5 tries 5");
}

TEST_CASE(
    "Z-11: a try that moved the resume point starts count and wait again, at most 100 tries") {
  CHECK(item(4, 4, FaultKind::retryable, Progress::forward) == "again attempt 1 tries 5 wait 1000");
  CHECK(item(0, 98, FaultKind::retryable, Progress::forward) ==
        "again attempt 1 tries 99 wait 1000");
  CHECK(item(0, 99, FaultKind::retryable, Progress::forward) == "fail attempt 1 tries 100");
}

TEST_CASE("S2-22: what cannot get better fails an item at once, even if bytes came") {
  for (const FaultKind kind : kHopeless) {
    CHECK(item(0, 0, kind) == "fail attempt 1 tries 1");
    CHECK(item(0, 0, kind, Progress::forward) == "fail attempt 1 tries 1");
  }
}

TEST_CASE("Z-8: our surroundings release the job, also at an item's last try") {
  CHECK(item(0, 0, FaultKind::environment) == "release");
  CHECK(item(4, 99, FaultKind::environment) == "release");
}

TEST_CASE("S2-21: an item's wait is moved by chance, 20 % either way") {
  const Item fresh;
  const auto wait = [&](double chance) {
    return judge_item(fresh, fault(FaultKind::retryable), false, kSettings, chance).wait;
  };
  CHECK((wait(0.0) == 800ms));
  CHECK((wait(1.0) == 1'200ms));
}

TEST_CASE(
    "A3-4, A3-12: a relay goes back to the queue twice, after 2 and 4 s; the third fails it") {
  for (const char* state : {"DOWNLOADING", "STREAMING"}) {
    CHECK(relay(state, 0, FaultKind::retryable) == "requeue code due 2000");
    CHECK(relay(state, 1, FaultKind::retryable) == "requeue code due 4000");
    CHECK(relay(state, 2, FaultKind::retryable) == "fail code");
  }
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
    return text_of(judge_image_timer(job_in(kImage, "failed", attempt)));
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
        CHECK(text_of(judge_media(job_in(kMedia, state, attempt), fault(kind), kSettings, kEven)) ==
              "release 30000");
}

TEST_CASE("001 Valid Transitions: an import that cannot work fails the job") {
  for (const char* state : {"completed", "imported"})
    for (const FaultKind kind : kHopeless)
      CHECK(text_of(judge_media(job_in(kMedia, state, 0), fault(kind), kSettings, kEven)) ==
            "fail code");
}

TEST_CASE("S4-15: an image waits 2, 4, 8 s after a lost worker; the others are due at once") {
  CHECK((wait_after_loss(kImage, 1, kEven) == 2s));
  CHECK((wait_after_loss(kImage, 2, kEven) == 4s));
  CHECK((wait_after_loss(kImage, 3, kEven) == 8s));
  for (const Lifecycle* table : {&kBook, &kMedia, &kBatch, &kRelay})
    CHECK((wait_after_loss(*table, 2, kEven) == 0ms));
}

TEST_CASE("Z-8: how long our surroundings are waited for is a setting") {
  const Settings slow{.environment_wait = 5min};
  const Fault full = fault(FaultKind::environment);
  const Job film = job_in(kMedia, "completed", 0);

  CHECK(text_of(judge_relay(job_in(kRelay, "STREAMING", 0), full, slow, kEven)) ==
        "release 300000");
  CHECK(text_of(judge_image(job_in(kImage, "running", 0), full, slow, kEven)) == "release 300000");
  CHECK(text_of(judge_media(film, full, slow, kEven)) == "release 300000");
}

}  // namespace haul

// The states of a file on its way to its place: what may follow what, and each decision.

#include "io/file/landing_state.h"

#include <doctest/doctest.h>

#include <string>

namespace haul::io {
namespace {

using enum LandingState;

constexpr LandingState kStates[] = {filling, whole, placing, stopping, keeping, ended};

// The states that may follow, as letters in the order of kStates.
std::string after(LandingState from) {
  constexpr std::string_view kLetters = "fwpske";
  std::string letters;
  for (std::size_t i = 0; i < std::size(kStates); ++i)
    if (may_follow(from, kStates[i])) letters += kLetters[i];
  return letters;
}

const Checkpoint kKept{
    .part = "a.part", .inode = 7, .size = 100, .boot = "this", .target = "a.bin"};
constexpr FileMark kMark{7, 100};

Fault fault(FaultKind kind, const char* code = "x") { return {kind, code, ""}; }

constexpr PartSeen kGood{.is_named = true, .is_resumable = true};
constexpr PartSeen kUnnamed{.is_named = false, .is_resumable = true};
constexpr PartSeen kUnproven{.is_named = true, .is_resumable = false};

}  // namespace

TEST_CASE(
    "each state of a landing leads to some others, the end to none, and none back to filling") {
  CHECK(after(filling) == "wpke");
  CHECK(after(whole) == "pe");
  CHECK(after(placing) == "wske");
  CHECK(after(stopping) == "e");
  CHECK(after(keeping) == "e");
  CHECK(after(ended).empty());
}

TEST_CASE("Z-8: a file in its place is known by inode and size, in any boot") {
  for (const char* boot : {"this", "another", ""}) {
    CAPTURE(boot);
    CHECK(judge_found(kKept, {.target = kMark, .part = {}, .boot = boot}) == FoundAs::in_place);
  }
  const FileMark other{8, 100};
  const FileMark longer{7, 101};
  for (const FileMark& mark : {other, longer})
    CHECK(judge_found(kKept, {.target = mark, .part = {}, .boot = "this"}) == FoundAs::nothing);
}

TEST_CASE("S2-31: a whole part that was not flushed is known within its boot only") {
  const auto found = [](std::string_view boot, FileMark mark = kMark) {
    return judge_found(kKept, {.target = {}, .part = mark, .boot = boot});
  };
  CHECK(found("this") == FoundAs::part);
  CHECK(found("another") == FoundAs::nothing);
  CHECK(found("this", {7, 99}) == FoundAs::nothing);
  CHECK(found("this", {8, 100}) == FoundAs::nothing);

  Checkpoint unknown_boot = kKept;
  unknown_boot.boot.clear();
  CHECK(judge_found(unknown_boot, {.target = {}, .part = kMark, .boot = ""}) == FoundAs::nothing);
}

TEST_CASE("S2-31: a checkpoint without final name or size describes no whole file") {
  Checkpoint half = kKept;
  half.target.clear();
  CHECK(judge_found(half, {.target = kMark, .part = kMark, .boot = "this"}) == FoundAs::nothing);
  Checkpoint unsized = kKept;
  unsized.size.reset();
  CHECK(judge_found(unsized, {.target = kMark, .part = kMark, .boot = "this"}) == FoundAs::nothing);
}

TEST_CASE("what came of placing a file: its fault, a stop and whether it is there decide") {
  CHECK(judge_place({.state = placing}) == PlaceEnd::done);
  CHECK(judge_place({.state = stopping}) == PlaceEnd::done);
  CHECK(judge_place({.state = placing, .fault_code = "name_taken"}) == PlaceEnd::taken);
  CHECK(judge_place({.state = stopping, .fault_code = "name_taken"}) == PlaceEnd::stopped);
  CHECK(judge_place({.state = placing, .fault_code = "disk_error"}) == PlaceEnd::failed);
  CHECK(judge_place({.state = stopping, .fault_code = "disk_error"}) == PlaceEnd::stopped);
}

TEST_CASE("Z-8: a file that is in its place unflushed is not stopped, also after a stop") {
  for (const LandingState state : {placing, stopping})
    for (const char* code : {"disk_error", "name_taken"})
      CHECK(judge_place({.state = state, .fault_code = code, .is_there = true}) ==
            PlaceEnd::unflushed);
}

TEST_CASE("a file in its place whose check was stopped is stopped, and not a failure") {
  CHECK(judge_place({.state = stopping, .fault_code = "stopped", .is_there = true}) ==
        PlaceEnd::stopped);
  CHECK(judge_place({.state = placing, .fault_code = "stopped", .is_there = true}) ==
        PlaceEnd::unflushed);
}

TEST_CASE("a file in its place with wrong bytes is forgotten, so that it can be fetched again") {
  const char* wrong = "checksum_mismatch";
  CHECK(judge_place({.state = placing, .fault_code = wrong, .is_there = true}) == PlaceEnd::failed);
  CHECK(judge_place({.state = placing, .fault_code = wrong}) == PlaceEnd::failed);
  CHECK(judge_place({.state = stopping, .fault_code = wrong, .is_there = true}) ==
        PlaceEnd::stopped);
}

TEST_CASE("A2-16: a failed transfer keeps a part that can be resumed after this fault") {
  using enum FaultKind;
  using enum StopStep;
  CHECK(judge_fail(filling, fault(retryable), kGood) == flush);
  CHECK(judge_fail(filling, fault(environment), kGood) == flush);
  CHECK(judge_fail(filling, fault(environment, "disk_full"), kGood) == flush);
  CHECK(judge_fail(filling, fault(retryable), kUnnamed) == remove);
  CHECK(judge_fail(filling, fault(retryable), kUnproven) == remove);
}

TEST_CASE("A2-16: a refused link keeps a part that can be resumed, and no other part") {
  using enum FaultKind;
  using enum StopStep;
  for (const char* code :
       {"http_401", "http_403", "http_404", "http_410", "page_instead", "private_address"}) {
    CHECK(judge_fail(filling, fault(permanent, code), kGood) == flush);
    CHECK(judge_fail(filling, fault(permanent, code), kUnnamed) == remove);
    CHECK(judge_fail(filling, fault(permanent, code), kUnproven) == remove);
  }
  CHECK(judge_fail(filling, fault(permanent, "unexpected_content"), kGood) == remove);
}

TEST_CASE("a fault while a whole file lands leaves its part, whose checkpoint is stored") {
  using enum FaultKind;
  using enum StopStep;
  for (const PartSeen& part : {kGood, kUnproven}) {
    CHECK(judge_fail(whole, fault(environment, "no_permission"), part) == leave);
    CHECK(judge_fail(whole, fault(retryable), part) == leave);
  }
  CHECK(judge_fail(placing, fault(environment, "no_permission"), kUnproven) == leave);
  CHECK(judge_fail(placing, fault(environment, "no_permission"), kGood) == flush);
  CHECK(judge_fail(placing, fault(retryable), kUnnamed) == remove);
}

TEST_CASE("a whole part whose flush may have failed is removed, because its bytes may be lost") {
  using enum FaultKind;
  for (const LandingState state : {whole, placing})
    for (const char* code : {"disk_error", "disk_full"})
      CHECK(judge_fail(state, fault(environment, code), kGood) == StopStep::remove);
}

TEST_CASE("a fault that cannot pass, or wrong bytes, remove the part in any state") {
  using enum FaultKind;
  for (const LandingState state : {filling, whole, placing}) {
    for (const FaultKind kind : {permanent, rejected, cancelled})
      CHECK(judge_fail(state, fault(kind), kGood) == StopStep::remove);
    for (const char* code : {"checksum_mismatch", "file_changed"})
      CHECK(judge_fail(state, fault(retryable, code), kGood) == StopStep::remove);
  }
}

TEST_CASE("A2-16: a stop keeps a part that can be resumed, and removes any other or all") {
  CHECK(judge_stop(filling, Leftovers::keep, kGood) == StopStep::flush);
  CHECK(judge_stop(filling, Leftovers::keep, kUnproven) == StopStep::remove);
  CHECK(judge_stop(filling, Leftovers::keep, kUnnamed) == StopStep::remove);
  CHECK(judge_stop(filling, Leftovers::remove, kGood) == StopStep::remove);
}

TEST_CASE("a stop leaves a whole part as it is, because its checkpoint is stored") {
  CHECK(judge_stop(whole, Leftovers::keep, kUnproven) == StopStep::leave);
  CHECK(judge_stop(whole, Leftovers::keep, kUnnamed) == StopStep::remove);
  CHECK(judge_stop(whole, Leftovers::remove, kGood) == StopStep::remove);
}

TEST_CASE("a stop waits for the lander, and after the end it does nothing") {
  for (const LandingState state : {placing, stopping, keeping, ended})
    for (const Leftovers leftovers : {Leftovers::keep, Leftovers::remove})
      CHECK(judge_stop(state, leftovers, kGood) == StopStep::wait);
}

}  // namespace haul::io

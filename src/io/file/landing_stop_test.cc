// One file on its way to its place, on a real folder: what a stop or a failure does with its part.

#include <doctest/doctest.h>

#include "io/file/landing.h"
#include "support/io/landing_bench.h"

namespace haul::testing {

TEST_CASE("A2-16: a stop keeps what a later start can use, and removes the rest") {
  LandingDisk disk;
  io::LandingFile file{disk.shared, disk.owner(), kBoot};
  make_part(file, "a.bin", "half");

  SUBCASE("a part to resume") {
    CHECK(file.stop(Leftovers::keep, {.is_resumable = true}) == io::StopStep::flush);
    CHECK(file.state() == io::LandingState::keeping);
    CHECK((disk.names() == Names{kPart}));
  }
  SUBCASE("a part without proof") {
    CHECK(file.stop(Leftovers::keep, {.is_resumable = false}) == io::StopStep::remove);
    CHECK(disk.names().empty());
  }
  SUBCASE("a cancel") {
    CHECK(file.stop(Leftovers::remove, {.is_resumable = true}) == io::StopStep::remove);
    CHECK(disk.names().empty());
  }
  SUBCASE("a whole part") {
    REQUIRE(file.choose_place(4));
    CHECK(file.stop(Leftovers::keep, {}) == io::StopStep::leave);
    CHECK((disk.names() == Names{kPart}));
  }
  file.end();
  CHECK(file.state() == io::LandingState::ended);
}

TEST_CASE("A2-16: a cancel while the lander works removes the part, and nothing lands") {
  LandingDisk disk;
  io::LandingFile file{disk.shared, disk.owner(), kBoot};
  make_part(file, "a.bin", "whole");
  REQUIRE(file.choose_place(5));
  disk.lander.holds = true;
  std::optional<io::PlaceEnd> end;
  file.put(disk.lander, {}, [&](const Result<void>& result) { end = file.placed(result); });

  CHECK(file.stop(Leftovers::remove, {}) == io::StopStep::wait);
  CHECK(file.state() == io::LandingState::stopping);
  disk.lander.run();

  CHECK(end == io::PlaceEnd::stopped);
  CHECK(disk.names().empty());
}

TEST_CASE("S2-12: a stop while the lander works ends the check of the file's bytes") {
  for (const Leftovers leftovers : {Leftovers::keep, Leftovers::remove}) {
    LandingDisk disk;
    io::LandingFile file{disk.shared, disk.owner(), kBoot};
    make_part(file, "a.bin", "whole");
    REQUIRE(file.choose_place(5));
    disk.lander.holds = true;
    disk.lander.fails = FakeLander::Fails::before;
    disk.lander.fault = {FaultKind::cancelled, "stopped", ""};
    std::optional<io::PlaceEnd> end;
    file.put(disk.lander, {"sha256", "00"},
             [&](const Result<void>& result) { end = file.placed(result); });
    REQUIRE(disk.lander.tasks.size() == 1);
    CHECK_FALSE(disk.lander.tasks.front().stop.stop_requested());

    CHECK(file.stop(leftovers, {}) == io::StopStep::wait);
    CHECK(disk.lander.tasks.front().stop.stop_requested());
    disk.lander.run();

    CHECK(end == io::PlaceEnd::stopped);
    CHECK((disk.names() == (leftovers == Leftovers::keep ? Names{kPart} : Names{})));
  }
}

TEST_CASE("S2-12: a pause ends the check of a file in its place, and a cancel does not") {
  for (const Leftovers leftovers : {Leftovers::keep, Leftovers::remove}) {
    LandingDisk disk;
    io::Checkpoint kept;
    {
      io::LandingFile first{disk.shared, disk.owner(), kBoot};
      make_part(first, "a.bin", "whole");
      kept = first.choose_place(5).value();
      REQUIRE(disk.put(first) == io::PlaceEnd::done);
    }
    io::LandingFile file{disk.shared, disk.owner(), kBoot};
    REQUIRE(file.recognise(kept) == io::FoundAs::in_place);
    disk.lander.holds = true;
    disk.lander.tasks.clear();
    std::optional<io::PlaceEnd> end;
    file.put(disk.lander, {"sha256", "00"},
             [&](const Result<void>& result) { end = file.placed(result); });

    CHECK(file.stop(leftovers, {}) == io::StopStep::wait);

    const bool is_stopped = disk.lander.tasks.front().stop.stop_requested();
    CHECK(is_stopped == (leftovers == Leftovers::keep));
    disk.lander.fails = is_stopped ? FakeLander::Fails::before : FakeLander::Fails::never;
    disk.lander.fault = {FaultKind::cancelled, "stopped", ""};
    disk.lander.run();
    CHECK(end == (is_stopped ? io::PlaceEnd::stopped : io::PlaceEnd::done));
    CHECK((disk.names() == Names{"a.bin"}));
  }
}

TEST_CASE("Z-8: a file that got its name before a stop, and was not flushed, is not stopped") {
  LandingDisk disk;
  io::LandingFile file{disk.shared, disk.owner(), kBoot};
  make_part(file, "a.bin", "whole");
  REQUIRE(file.choose_place(5));
  disk.lander.holds = true;
  disk.lander.fails = FakeLander::Fails::after;
  std::optional<io::PlaceEnd> end;
  file.put(disk.lander, {}, [&](const Result<void>& result) { end = file.placed(result); });

  CHECK(file.stop(Leftovers::keep, {}) == io::StopStep::wait);
  disk.lander.run();

  CHECK(end == io::PlaceEnd::unflushed);
  CHECK((disk.names() == Names{"a.bin"}));
}

TEST_CASE("A2-16: a failed transfer keeps its part for a fault that may pass, and for no other") {
  LandingDisk disk;
  io::LandingFile file{disk.shared, disk.owner(), kBoot};
  make_part(file, "a.bin", "half");

  SUBCASE("may pass") {
    const Fault fault{FaultKind::retryable, "stalled", ""};
    CHECK(file.fail(fault, {.is_resumable = true}) == io::StopStep::flush);
    CHECK(file.state() == io::LandingState::keeping);
    CHECK((disk.names() == Names{kPart}));
  }
  SUBCASE("for good") {
    const Fault fault{FaultKind::permanent, "unexpected_content", ""};
    CHECK(file.fail(fault, {.is_resumable = true}) == io::StopStep::remove);
    CHECK(disk.names().empty());
  }
}

TEST_CASE("a fault that may pass leaves a whole part, for the start that recognises it") {
  LandingDisk disk;
  const Fault fault{FaultKind::environment, "no_permission", ""};
  io::LandingFile file{disk.shared, disk.owner(), kBoot};
  make_part(file, "a.bin", "whole");
  const io::Checkpoint kept = file.choose_place(5).value();

  SUBCASE("before it lands") {
    CHECK(file.fail(fault, {.is_resumable = true}) == io::StopStep::leave);
  }
  SUBCASE("while it lands") {
    disk.lander.fails = FakeLander::Fails::before;
    CHECK(disk.put(file) == io::PlaceEnd::failed);
    CHECK(file.fail(fault, {}) == io::StopStep::leave);
  }
  file.end();

  CHECK((disk.names() == Names{kPart}));
  io::LandingFile again{disk.shared, disk.owner(1, 2), kBoot};
  CHECK(again.recognise(kept) == io::FoundAs::part);
}

TEST_CASE("a file that could not be placed is still a part") {
  LandingDisk disk;
  disk.lander.fails = FakeLander::Fails::before;
  io::LandingFile file{disk.shared, disk.owner(), kBoot};
  make_part(file, "a.bin", "whole");
  REQUIRE(file.choose_place(5));

  CHECK(disk.put(file) == io::PlaceEnd::failed);

  CHECK((disk.names() == Names{kPart}));
}

}  // namespace haul::testing

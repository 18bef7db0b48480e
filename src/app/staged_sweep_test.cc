#include "app/staged_sweep.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <fstream>
#include <set>

#include "lifecycle/tables.h"
#include "support/io/temp_folder.h"
#include "support/store/bench.h"

namespace haul::testing {
namespace {

namespace fs = std::filesystem;

class SweepBench {
 public:
  std::string stage(JobId job, const std::string& store = {}) {
    const std::string name = fmt::format(
        "{}-{}-0-1-image.png", store.empty() ? b.store().identity().id() : store, job.value);
    std::ofstream{folder / name} << "image";
    return name;
  }
  std::set<std::string> names() const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator{folder.path()})
      names.insert(entry.path().filename().string());
    return names;
  }

  Bench b;
  TempFolder folder;
  bool may_remove = true;
  app::StagedSweep sweep{b.store(), folder.path(), [this] { return may_remove; }};
};

}  // namespace

TEST_CASE("the staged image of a job stays while the job is open, and goes when it has ended") {
  SweepBench b;
  std::set<std::string> kept;
  for (const char* state : {"queued", "running", "failed"})
    kept.insert(b.stage(b.b.reach(kImage, state)));
  for (const char* state : {"completed", "rejected", "dead_letter"})
    b.stage(b.b.reach(kImage, state));
  b.stage(JobId{999});

  b.sweep.step();

  CHECK(b.names() == kept);
}

TEST_CASE("files of another store, and files that are no staged image, stay") {
  SweepBench b;
  const std::string other = b.stage(JobId{999}, "0123456789ab");
  std::ofstream{b.folder / "notes.txt"} << "of a user";
  fs::create_directory(b.folder / "work");

  b.sweep.step();

  CHECK(b.names() == std::set<std::string>{other, "notes.txt", "work"});
}

TEST_CASE("Z-31: nothing is removed in a restored store, nor by a process without the duty") {
  SweepBench b;
  const std::string staged = b.stage(JobId{999});
  b.may_remove = false;
  b.sweep.step();
  CHECK(b.names().contains(staged));

  b.may_remove = true;
  b.b.store().identity().mark_restored(b.b.now());
  b.sweep.step();
  CHECK(b.names().contains(staged));
}

TEST_CASE("a step looks at a bounded number of files, and the next one goes on") {
  SweepBench b;
  for (int i = 1; i <= 150; ++i) b.stage(JobId{10'000 + i});

  const Millis first = b.sweep.step();
  CHECK(b.names().size() == 50);
  const Millis second = b.sweep.step();
  CHECK(b.names().empty());
  CHECK(first < second);
}

TEST_CASE("a folder that does not exist has nothing to remove") {
  SweepBench b;
  app::StagedSweep sweep{b.b.store(), b.folder / "none", [] { return true; }};
  CHECK(sweep.step() > Millis{0});
}

}  // namespace haul::testing

// The last step of docs/adding-an-engine.md: a job runs through a store, a worker and the copy
// engine. src/app/wiring does the same for the engines of haul.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <fstream>
#include <iterator>

#include "base/random.h"
#include "example/copy_engine.h"
#include "flow/outside.h"
#include "flow/worker/worker.h"
#include "lifecycle/tables.h"
#include "seam/forward.h"
#include "seam/not_configured.h"
#include "support/flow/script.h"
#include "support/io/temp_folder.h"
#include "support/store/test_store.h"

namespace haul::example {
namespace {

class CopyingHaul {
 public:
  // The engine pushes sights into the worker's inbox, so it is made after the worker and destroyed
  // before it. The worker gets a ForwardItems (`to_engine_`) in its place.
  CopyingHaul()
      : worker_{*store_, flow::lifecycle_work(outside()), clock_, random_, settings(), "example"},
        engine_{make_copy_engine(*loop_, *lander_, {})} {}

  JobId add(const std::string& request) {
    const NewJob job{.lifecycle = &kBatch, .request = request, .lane = "localhost"};
    return store_->jobs().add({&job, 1}, clock_.now()).front().value().id;
  }
  std::string state(JobId id) {
    return std::string{store_->reader().find(id).value().version.state};
  }
  // Runs the worker until the job is in this state. False if it never is.
  bool reaches(JobId id, std::string_view wanted) {
    for (int turn = 0; turn < kTurnsMax && state(id) != wanted; ++turn) {
      worker_.tick();
      worker_.wait(kTurn);
      clock_.pass(kTurn);
    }
    return state(id) == wanted;
  }

 private:
  static constexpr int kTurnsMax = 10'000;
  static constexpr Millis kTurn{5};

  flow::Outside outside() {
    return {.client = none_,
            .items = to_engine_,
            .disk = none_,
            .images = none_,
            .library = none_,
            .chat = none_,
            .bucket = none_};
  }
  static flow::Settings settings() {
    flow::Settings settings;
    settings.host = {.at_once = 100, .apart = Millis{0}};
    return settings;
  }

  testing::HandClock clock_;
  SeededRandom random_{1};
  std::unique_ptr<Store> store_ = testing::open_test_store(clock_.now());
  NotConfigured none_{"not part of this example"};
  std::unique_ptr<io::PollLoop> loop_ = io::make_poll_loop(clock_);
  std::unique_ptr<io::Lander> lander_ = io::make_lander(io::Durability::off);
  ForwardItems to_engine_{engine_};
  flow::Worker worker_;
  std::unique_ptr<ItemEngine> engine_;
};

std::string content(const std::filesystem::path& path) {
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

}  // namespace

TEST_CASE("the example engine runs a job from its request to its files") {
  const testing::TempFolder from;
  const testing::TempFolder to;
  std::ofstream{from / "a.txt"} << "one";
  std::ofstream{from / "b.txt"} << "two";
  CopyingHaul copying;

  const JobId id = copying.add(fmt::format(
      R"({{"folder":"{0}","urls":["copy://localhost{1}/a.txt","copy://localhost{1}/b.txt"]}})",
      to.path().string(), from.path().string()));

  CHECK(copying.reaches(id, "COMPLETED"));
  CHECK(content(to / "a.txt") == "one");
  CHECK(content(to / "b.txt") == "two");
}

TEST_CASE("the example engine reports a job whose addresses cannot be read") {
  const testing::TempFolder to;
  CopyingHaul copying;

  const JobId id = copying.add(fmt::format(R"({{"folder":"{}"}})", to.path().string()));

  CHECK(copying.reaches(id, "FAILED"));
}

}  // namespace haul::example

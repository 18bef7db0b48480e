#pragma once
// The real engine, worker and clock in this process, with a store in memory, so that a test can
// change the settings and see what a job waits for.

#include <memory>
#include <string>
#include <vector>

#include "app/absent.h"
#include "base/clock.h"
#include "base/random.h"
#include "engine/forward.h"
#include "engine/http/http.h"
#include "flow/user.h"
#include "flow/worker.h"
#include "lifecycle/tables.h"
#include "store/store.h"

namespace haul::testing {

class RealGet {
 public:
  explicit RealGet(Settings settings, KeepFree keep_free = {})
      : space_{keep_free},
        worker_{*store_,
                {absent_, forward_, absent_, absent_, absent_, absent_, absent_},
                system_clock(),
                random_,
                std::move(settings),
                "test"},
        engine_{make_http_engine(*loop_, worker_.gate(), system_clock(), {.space = &space_},
                                 Durability::batch)} {}

  JobId add(const std::string& request) {
    const auto added =
        haul::add(*store_, {.lifecycle = &kBatch, .request = request}, system_clock().now());
    return added.value().id;
  }
  Store& store() { return *store_; }
  Job job(JobId id) { return store_->reader().find(id).value(); }

  // Runs the worker until `so` holds. False after a generous timeout.
  template <class So>
  bool until(So so) {
    for (int turn = 0; turn < kTurnsMax; ++turn) {
      worker_.tick();
      if (so()) return true;
      worker_.wait(kTurn);
    }
    return false;
  }

 private:
  static constexpr int kTurnsMax = 3'000;
  static constexpr Millis kTurn{10};

  std::unique_ptr<Store> store_ = open_sqlite_in_memory(system_clock().now());
  SeededRandom random_{1};
  Absent absent_;
  Forward forward_{engine_};
  std::unique_ptr<HttpLoop> loop_ = make_http_loop(system_clock());
  DiskSpace space_;
  Worker worker_;
  std::unique_ptr<Engine> engine_;
};

}  // namespace haul::testing

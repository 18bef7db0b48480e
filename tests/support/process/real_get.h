#pragma once
// The real engine, worker and clock in this process, with a store in memory, so that a test can
// change the settings and see what a job waits for.

#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/random.h"
#include "engine/http/http.h"
#include "flow/outside.h"
#include "flow/user/user.h"
#include "flow/worker/worker.h"
#include "lifecycle/tables.h"
#include "seam/forward.h"
#include "seam/not_configured.h"
#include "store/store.h"
#include "support/store/test_store.h"

namespace haul::testing {

class RealGet {
 public:
  explicit RealGet(flow::Settings settings, io::KeepFree keep_free = {},
                   io::Destinations destinations = {})
      : space_{keep_free},
        worker_{
            *store_,
            flow::lifecycle_work({absent_, forward_, absent_, absent_, absent_, absent_, absent_}),
            system_clock(),
            random_,
            std::move(settings),
            "test"},
        engine_{http::make_http_engine(*loop_, worker_.gate(), system_clock(),
                                       {.destinations = std::move(destinations), .space = &space_},
                                       io::Durability::batch)} {}

  JobId add(const std::string& request) {
    const auto added =
        haul::flow::add(*store_, {.lifecycle = &kBatch, .request = request}, system_clock().now());
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

  std::unique_ptr<Store> store_ = open_test_store(system_clock().now());
  SeededRandom random_{1};
  NotConfigured absent_{"not part of this test"};
  ForwardItems forward_{engine_};
  std::unique_ptr<io::HttpLoop> loop_ = io::make_http_loop(system_clock());
  io::DiskSpace space_;
  flow::Worker worker_;
  std::unique_ptr<ItemEngine> engine_;
};

}  // namespace haul::testing

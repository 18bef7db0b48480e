// The simulator's fake engines join the suites of item engines and of remote engines.
// conformance/joined_test.cc says why two of them do not.

#include <fmt/core.h>

#include "conformance/engine/item_engine.h"
#include "conformance/engine/remote_engine.h"
#include "conformance/simulated.h"

namespace haul::conformance {
namespace {

class SimulatedItems final : public ItemBench {
 public:
  ItemEngine& engine() override { return outside_.outside().items; }
  void crash() override {}  // The fake keeps nothing of a transfer.
  bool until(const So& so, Millis within) override { return outside_.until(so, within); }

  Order listing(Pace) override {  // The fake finds three items for job 3.
    return {.store = kStore, .job = JobId{3}, .fence = 1, .start = -1};
  }
  Order item(Pace) override {
    Order order{.store = kStore, .job = JobId{1}, .item = 1, .fence = 1, .start = 1};
    order.key = "1-0";
    order.url = "https://host0.example/1-0";
    return order;
  }
  std::int64_t size() const override { return 10; }
  void await_hold(const Order&) override {}  // Everything waits until the bench turns the clock.
  void lose_source() override {}
  std::filesystem::path folder() const override { return {}; }

  std::string exempt(ItemRule rule) const override {
    switch (rule) {
      case ItemRule::has_files:
      case ItemRule::clears_jobs:
        return "It has no files.";
      case ItemRule::quiet_after_end:
        return "It delivers late sights on purpose.";
      case ItemRule::fails:
        return "It fails at random only.";
    }
    return {};  // Not reached: the switch is complete.
  }

 private:
  Simulated outside_;
};

class SimulatedClient final : public RemoteBench {
 public:
  RemoteEngine& engine() override { return outside_.outside().client; }
  bool until(const So& so, Millis within) override { return outside_.until(so, within); }
  Order order(std::int64_t job) override {
    return {.store = "a1b2c3d4e5f6", .job = JobId{job}, .fence = 1, .start = 1};
  }
  Order unknown() override {
    Order order = this->order(99);
    order.handle = "hash-99";
    return order;
  }
  std::size_t transfers() const override { return outside_.ledger().present.size(); }
  void fall_silent() override {}  // Nothing answers until the bench turns the clock.

  std::string exempt(RemoteRule rule) const override {
    switch (rule) {
      case RemoteRule::outages:
      case RemoteRule::asks:
        return "It is down at random only.";
      case RemoteRule::strangers:
        return "It has no transfers of others.";
      case RemoteRule::quiet:
        return "Its answers take random times, so a start's may follow that of its stop.";
      case RemoteRule::outlives:
      case RemoteRule::repeats:
        return {};
    }
    return {};  // Not reached: the switch is complete.
  }

 private:
  Simulated outside_;
};

const Joins<ItemBench> kItems{"simulated http", [] { return std::make_unique<SimulatedItems>(); }};
const Joins<RemoteBench> kClient{"simulated client",
                                 [] { return std::make_unique<SimulatedClient>(); }};

}  // namespace
}  // namespace haul::conformance

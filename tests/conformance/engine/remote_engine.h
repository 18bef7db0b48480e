#pragma once
// The bench of a remote engine for the conformance suite; conformance/suite.h says how an adapter
// joins.

#include <optional>
#include <string>
#include <vector>

#include "conformance/suite.h"
#include "seam/engine.h"

namespace haul::conformance {

// Rules that an adapter may be exempt from.
enum class RemoteRule : std::uint8_t {
  outlives,   // A transfer has a handle and outlives its lease. Not if it is a read by haul.
  repeats,    // A repeated start finds the first one. Not if each start is a call that is paid for.
  outages,    // Reports Failed while the other system is down.
  asks,       // Asks the other system for a look and a stop, so an outage shows there, too.
  strangers,  // Leaves transfers alone that haul did not start.
  quiet,      // Reports nothing of a start after its stop.
};
std::string_view name_of(RemoteRule rule);

class RemoteBench {
 public:
  virtual ~RemoteBench() = default;

  virtual RemoteEngine& engine() = 0;
  // Lets the engine's time pass until `so` holds. False if it does not hold within this time.
  virtual bool until(const So& so, Millis within) = 0;

  // Work for the other system, under fence 1 and start 1. Each job has its own.
  virtual Order order(std::int64_t job) = 0;
  // An order with a handle that the other system does not know.
  virtual Order unknown() = 0;
  // That the other system has. Of an engine whose transfers do not outlive their lease: that go on.
  virtual std::size_t transfers() const = 0;
  virtual std::size_t paid_calls() const { return 0; }  // That the other system charged for.
  // The other system answers no more, but stays connected.
  virtual void fall_silent() = 0;
  virtual void go_down() {}
  virtual void come_back() {}
  virtual void add_stranger() {}
  virtual bool has_stranger() const { return true; }

  // Why the adapter does not follow a rule. Empty if it does.
  virtual std::string exempt(RemoteRule) const { return {}; }
  bool follows(RemoteRule rule) const { return follows_rule(adapter, name_of(rule), exempt(rule)); }
  std::string adapter;  // The name under which it has joined.

  // Declared here, so that it outlives the engine of a derived bench.
  Sights sights;

  template <class T>
  std::optional<T> told(const Order& order) const {
    return first<T>(sights.all(), [&](const Sight& sight) { return sight.job == order.job; });
  }
  // Each of these drops the earlier sights, and waits for the answer.
  // The handle under which the start was accepted, or nothing if it was not. An engine whose
  // transfers have no handle accepts with its first Moving: the handle is then empty.
  std::optional<std::string> start(const Order& order);
  // The order with the handle that its start gave it.
  Order started(std::int64_t job);
  // The sights by job, without Accepted.
  std::map<JobId, std::vector<What>> look(const std::vector<Order>& orders);
  std::optional<Stopped> stop(const Order& order);
  // After a stop: no further sight comes for a while.
  bool is_quiet();
};

}  // namespace haul::conformance

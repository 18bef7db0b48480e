#pragma once
// The bench of an item engine for the conformance suite; conformance/suite.h says how an adapter
// joins.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "conformance/suite.h"
#include "seam/engine.h"

namespace haul::conformance {

// Rules that an adapter may be exempt from.
enum class ItemRule : std::uint8_t {
  has_files,        // Puts files into a folder.
  quiet_after_end,  // Reports nothing of a start after its end.
  fails,            // Reports Failed if its source is gone.
  clears_jobs,      // A stop with item and start 0 removes the parts of a job.
};
std::string_view name_of(ItemRule rule);

class ItemBench {
 public:
  virtual ~ItemBench() = default;

  virtual ItemEngine& engine() = 0;
  // Ends the engine and makes another one, which finds what the first has left.
  virtual void crash() = 0;
  // Lets the engine's time pass until `so` holds. False if it does not hold within this time.
  virtual bool until(const So& so, Millis within) = 0;

  // An enumeration with at least one item. Its start is -1, as the flow counts enumerations.
  virtual Order listing(Pace pace) = 0;
  // Item 1, fence 1, start 1.
  virtual Order item(Pace pace) = 0;
  virtual std::int64_t size() const = 0;  // Of a quick item.
  // Waits until a held order has reached the outside.
  virtual void await_hold(const Order& order) = 0;
  // From now on the outside has nothing to fetch.
  virtual void lose_source() = 0;
  virtual std::filesystem::path folder() const = 0;  // Where files land. Empty if there are none.

  // Why the adapter does not follow a rule. Empty if it does.
  virtual std::string exempt(ItemRule) const { return {}; }
  bool follows(ItemRule rule) const { return follows_rule(adapter, name_of(rule), exempt(rule)); }
  std::string adapter;  // The name under which it has joined.

  // Declared here, so that it outlives the engine of a derived bench.
  Sights sights;

  // The sights of an order's start.
  std::vector<Sight> of(const Order& order) const;
  // How many of them are an end.
  int ends(const Order& order) const;
  template <class T>
  std::optional<T> told(const Order& order) const {
    return first<T>(of(order), [](const Sight&) { return true; });
  }
  // Waits for a sight of this type.
  template <class T>
  std::optional<T> await(const Order& order, Millis within = kPatience) {
    until([&] { return told<T>(order).has_value(); }, within);
    return told<T>(order);
  }
  // No further sight of the start comes for a while.
  bool is_quiet(const Order& order);

  // Starts an item and waits until it is fetched, or over.
  std::optional<Fetched> fetch(const Order& order);
  // The same, then lands it.
  std::optional<Finished> finish(const Order& order);
  // Stops, and waits for the answer.
  std::optional<Stopped> stop(const Order& order, Leftovers leftovers);

  // Everything in the folder with haul's mark in its name: parts, and folders of programs.
  std::vector<std::string> leftovers() const;
  // All other files, by path.
  std::vector<std::string> files() const;

 protected:
  static constexpr const char* kStore = "a1b2c3d4e5f6";
};

// The order of the next lease: a higher fence, a new start, and what the store has kept.
Order next_lease(Order order, const std::string& checkpoint);

}  // namespace haul::conformance

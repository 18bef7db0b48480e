#pragma once
// What the conformance suites of engines and sinks share. A suite checks each rule of a seam with
// every adapter that has joined it. A new adapter joins with one file:
//
//   1. Add <name>.cc to the folder adapters/ of the suite, tests/conformance/engine or
//      tests/conformance/sink, where <name> is the adapter's folder in src/engine or src/sink. An
//      engine that starts other programs goes to programs/ instead and runs with the slow tests.
//      CMake collects both folders.
//   2. Derive a bench from ItemBench, RemoteBench or SinkBench. The bench owns the adapter and
//      everything outside of it, such as a server on loopback or a folder.
//   3. Register the factory of the bench in an anonymous namespace, under the same name. More words
//      may follow it, as in "qbittorrent 5":
//        const Joins<ItemBench> kJoins{"http", [] { return std::make_unique<HttpBench>(); }};
//
// If an adapter cannot follow a rule, exempt() of its bench names the rule and says why. The tests
// print that as a skipped check.

#include <doctest/doctest.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "base/time.h"
#include "seam/sight.h"
#include "support/flow/turned_clock.h"

namespace haul::conformance {

template <class Bench>
using MakeBench = std::function<std::unique_ptr<Bench>()>;

// The factories by name. Complete before main() begins.
template <class Bench>
std::map<std::string, MakeBench<Bench>>& joined() {
  static std::map<std::string, MakeBench<Bench>> benches;
  return benches;
}

template <class Bench>
struct Joins {
  Joins(const char* name, MakeBench<Bench> make) { joined<Bench>().emplace(name, std::move(make)); }
};

// Runs a check with every adapter, each on a new bench.
template <class Bench, class Check>
void with_each(const Check& check) {
  REQUIRE_FALSE(joined<Bench>().empty());
  for (const auto& each : joined<Bench>()) {
    INFO(each.first);
    const std::unique_ptr<Bench> bench = each.second();
    bench->adapter = each.first;
    check(*bench);
  }
}

// Whether an adapter has joined a suite under this name, or with more words after it.
template <class Bench>
bool has_joined(const std::string& name) {
  for (const auto& each : joined<Bench>())
    if (each.first == name || each.first.starts_with(name + " ")) return true;
  return false;
}

// Whether an adapter follows a rule: `exempt` is empty. Otherwise reports the skipped check.
bool follows_rule(const std::string& adapter, std::string_view rule, const std::string& exempt);

// How the outside of an adapter behaves.
enum class Pace : std::uint8_t {
  quick,  // It answers.
  held,   // It never answers, so that only a stop ends the work.
};

inline constexpr Millis kPatience{60'000};   // For an answer that must come.
inline constexpr Millis kStopWithin{2'000};  // For the answer to a stop.
inline constexpr Millis kQuiet{150};         // For a sight that must not come.

// Keeps every sight. Adapters push from their own threads.
class Sights final : public Inbox {
 public:
  void push(Sight sight) override;
  std::vector<Sight> all() const;
  // Removes and returns all sights.
  std::vector<Sight> take();
  // Returns when a sight comes, or when the time is up. Time of this machine.
  void wait(Millis at_most);

 private:
  mutable Mutex mutex_;
  Condition came_;
  std::vector<Sight> sights_ GUARDED_BY(mutex_);
  bool is_new_ GUARDED_BY(mutex_) = false;
};

using So = std::function<bool()>;

// For an adapter with threads of its own: turns its clock in small steps until `so` holds. Each
// step also lasts at least as long on this machine, unless a sight comes. False if `so` does not
// hold within this time of the adapter's clock.
bool turn_until(testing::TurnedClock& clock, Sights& sights, const So& so, Millis within);

// The first sight of this type among those that `is_wanted` accepts.
template <class T, class IsWanted>
std::optional<T> first(const std::vector<Sight>& sights, const IsWanted& is_wanted) {
  for (const Sight& sight : sights)
    if (const T* what = std::get_if<T>(&sight.what); what && is_wanted(sight)) return *what;
  return std::nullopt;
}

// Finished, Failed or Stopped.
bool is_end(const What& what);

// A fault from outside has a kind other than `cancelled`, and a snake_case word as its code.
void check_fault(const Fault& fault);

}  // namespace haul::conformance

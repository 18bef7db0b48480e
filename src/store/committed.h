#pragma once
// What a committed transaction did, for StoreOptions::on_commit.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/time.h"
#include "lifecycle/table.h"
#include "store/outcome.h"

namespace haul {

// A committed move of a job. The names point into the lifecycle's table.
struct CommittedMove {
  const Lifecycle* lifecycle = nullptr;
  std::string_view from;
  std::string_view to;
  std::string reason;              // Set at a bad end.
  std::optional<Outcome> outcome;  // Set at any end.
};

// A transaction that is on disk.
struct Committed {
  std::size_t commands = 0;  // How many commands shared it.
  // Pages in the log that the backend has yet to fold into its file. Nothing if it has no such log.
  std::optional<int> log_length;
  Millis took{0};                        // Zero without StoreOptions::clock.
  std::span<const CommittedMove> moves;  // In the order they were made.
  std::size_t rescues = 0;               // Jobs taken from lost workers.
};

}  // namespace haul

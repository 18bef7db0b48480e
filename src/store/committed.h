#pragma once
// What a transaction has done, for whoever watches the store.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "base/time.h"
#include "lifecycle/table.h"
#include "store/outcome.h"

namespace haul {

// A move of a job that is on disk. The names point into the lifecycle's table.
struct CommittedMove {
  const Lifecycle* lifecycle = nullptr;
  std::string_view from;
  std::string_view to;
  std::string reason;              // Of a bad end.
  std::optional<Outcome> outcome;  // Of any end.
};

// A transaction that is on disk.
struct Committed {
  std::size_t commands = 0;              // So many shared it.
  int log_pages = 0;                     // How long the write-ahead log is now.
  Millis took{0};                        // Where there is a clock.
  std::span<const CommittedMove> moves;  // In the order they were made.
  std::size_t rescues = 0;               // Jobs that were taken from lost workers.
};

}  // namespace haul

#pragma once
// Progress of a whole job: its ended items, its open ones, and those of unknown size.

#include <chrono>
#include <cstdint>
#include <optional>

#include "flow/worker/item_work.h"
#include "store/items.h"

namespace haul::api {

struct JobSum {
  std::int64_t have = 0;
  std::optional<std::int64_t> size{};  // Only if all items are found and all their sizes are known.
  std::optional<std::chrono::seconds> eta{};
  // Otherwise it is at least this much. Nothing if that would say no more than `have`.
  std::optional<std::int64_t> size_least{};
  std::optional<std::chrono::seconds> eta_least{};

  bool operator==(const JobSum&) const = default;
};

// `speed` in bytes a second.
JobSum sum_of(const Counts& counts, const flow::OpenItems& open, double speed);

}  // namespace haul::api

#pragma once
// The limits that one job's request sets. They apply to that job only, and can only tighten the
// configured ones (Z-11).

#include <cstddef>
#include <optional>

#include "base/id.h"
#include "base/time.h"

namespace haul::flow {

struct OwnLimits {
  JobId job;                     // The job whose requests count.
  std::size_t at_once = 0;       // Parallel requests to one host; 0 for the configured limit.
  Millis apart{0};               // Minimum time between two starts at one host.
  std::optional<int> retries{};  // Of an item in a row without progress; nullopt: the table's.
};

}  // namespace haul::flow

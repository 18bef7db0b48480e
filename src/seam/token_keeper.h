#pragma once
// Keeps the tokens that an engine was given by another system, durably and sealed. Several workers,
// also of several processes, share them.

#include <cstdint>
#include <string>

#include "base/fault.h"

namespace haul {

struct KeptToken {
  std::string text;          // What the engine put. Empty if there is none, or it cannot be read.
  std::int64_t version = 0;  // Grows with every put. Zero if there was none.

  bool operator==(const KeptToken&) const = default;
};

// Call from any thread. Each call may wait for the disk. Faults: `store_unavailable`.
class TokenKeeper {
 public:
  virtual ~TokenKeeper() = default;

  virtual Result<KeptToken> get() = 0;
  // Replaces the text if no worker has put another since `version`. False if one has.
  virtual Result<bool> put(const std::string& text, std::int64_t version) = 0;
};

}  // namespace haul

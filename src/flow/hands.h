#pragma once
// The free hands of a worker in this process. What is added while one is free is taken in the same
// transaction: one flush, not two, until somebody works on it.

#include <optional>
#include <vector>

#include "store/jobs.h"

namespace haul {

class Hands {
 public:
  virtual ~Hands() = default;

  // From any thread. Nothing: none is free. Else as many as `wanted` at most, until given back.
  virtual std::optional<ClaimAsk> lend(const Lifecycle& lifecycle, std::size_t wanted) = 0;
  // With what they took; the worker goes on with it.
  virtual void give_back(const ClaimAsk& lent, std::vector<Claim> taken) = 0;
};

}  // namespace haul

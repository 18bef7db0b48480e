#pragma once
// Lends the free capacity of a worker in this process to callers that add jobs. One transaction
// then adds and claims a job: one flush instead of two before the work begins.

#include <optional>
#include <vector>

#include "store/jobs.h"

namespace haul::flow {

class SpareCapacity {
 public:
  virtual ~SpareCapacity() = default;

  // Reserves capacity for at most `wanted` jobs, until give_back(). Nothing if none is free. Call
  // from any thread.
  virtual std::optional<ClaimRequest> lend(const Lifecycle& lifecycle, std::size_t wanted) = 0;
  // Ends a loan. The worker begins the jobs that the loan claimed.
  virtual void give_back(const ClaimRequest& lent, std::vector<Claim> taken) = 0;
};

}  // namespace haul::flow

#include "api/live/job_sum.h"

#include "base/sizes.h"
#include "base/speed.h"

namespace haul::api {

JobSum sum_of(const Counts& counts, const flow::OpenItems& open, double speed) {
  JobSum sum{.have = sum_of_sizes(counts.bytes, open.have)};
  const bool is_whole = counts.enumerated && counts.open() <= open.sized;
  if (is_whole) {
    sum.size = sum_of_sizes(sum.have, open.left);
    sum.eta = eta(open.left, speed);
  } else if (open.left > 0) {
    sum.size_least = sum_of_sizes(sum.have, open.left);
    sum.eta_least = eta(open.left, speed);
  }
  return sum;
}

}  // namespace haul::api

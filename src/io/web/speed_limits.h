#pragma once
// Speed limits of a process and of its jobs, shared fairly between their transfers. A transfer asks
// before it begins and before it reads. Pure: the caller passes the time in. Not thread-safe.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/id.h"
#include "base/token_bucket.h"

namespace haul::io {

class SpeedLimits {
 public:
  enum class For : std::uint8_t {
    begin,  // Send a request. The answer's first read may exceed the grant and leave a debt.
    read,
  };

  enum class Joins : std::uint8_t {
    limited,  // Transfers that a limit applies to.
    all,      // Every transfer, because the limit of all may change.
  };

  // Bytes per second for all transfers together; zero for no limit.
  SpeedLimits(std::int64_t per_second, Steady now, Joins joins = Joins::limited);
  // Changes the limit of all transfers together. What they were granted by the old one is cut to
  // one piece.
  void set_rate(std::int64_t per_second, Steady now);

  // Adds a transfer of a job and returns its number. Transfers of one job share one bucket of
  // `job_per_second`; zero if the job has no limit. Empty if the transfer needs no share.
  std::optional<std::int64_t> join(JobId job, std::int64_t job_per_second, Steady now);
  void leave(std::int64_t transfer, Steady now);

  // True if the transfer may go on, because some of its last grant is left. Otherwise queues it.
  bool ask(std::int64_t transfer, For what);
  // The same, and grants what there is to the queue. A transfer calls ask() when it has read, and
  // may() in its next turn. Otherwise the first one to read in a turn would always take the rest.
  bool may(std::int64_t transfer, For what, Steady now);
  // Counts bytes that the transfer has read.
  void count(std::int64_t transfer, std::int64_t bytes, Steady now);
  // The most that the transfer should read at once.
  std::int64_t piece(std::int64_t transfer) const;
  // How long until the first queued transfer may go on. Empty if none is queued.
  std::optional<Millis> next(Steady now);

 private:
  struct Job {
    std::optional<TokenBucket> bucket;
    int transfers = 0;
  };
  struct Transfer {
    JobId job;
    std::int64_t granted = 0;  // Taken from the buckets and not read yet.
    std::int64_t wanted = 0;   // More than zero while it is queued.
    std::int64_t served = 0;   // Its position in the queue: the least served goes first.
  };

  // The buckets a transfer takes from. Null if that limit does not apply.
  struct Buckets {
    TokenBucket* all = nullptr;
    TokenBucket* of_job = nullptr;

    void take(std::int64_t bytes);
    void give_back(std::int64_t bytes);
    Millis until(std::int64_t bytes) const;
  };
  Buckets earned(const Transfer& transfer, Steady now);
  void share_out(Steady now);

  const Joins joins_;
  std::int64_t per_second_ = 0;
  std::optional<TokenBucket> all_;
  std::map<JobId, Job> jobs_;
  std::map<std::int64_t, Transfer> transfers_;
  std::set<std::pair<std::int64_t, std::int64_t>> line_;  // The queue, by served, then number.
  std::int64_t served_ = 0;  // Of the last transfer with a grant: new transfers begin there.
  std::int64_t last_ = 0;
};

}  // namespace haul::io

#pragma once
// Speed limits of a process and of its jobs, shared out fairly between their transfers. A transfer
// asks before it begins and before it reads. Pure: time is handed in, and one thread uses it.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/id.h"
#include "base/token_bucket.h"

namespace haul {

class SpeedLimits {
 public:
  enum class For : std::uint8_t {
    begin,  // A request goes out. Its first read is counted when it comes, and may make a debt.
    read,
  };

  // Bytes a second of all transfers together; zero: no limit.
  SpeedLimits(std::int64_t per_second, Steady now);

  // A new transfer of a job. Transfers of one job share one bucket of `job_per_second`; zero: the
  // job has no limit. Nothing: no limit holds for this transfer.
  std::optional<std::int64_t> join(JobId job, std::int64_t job_per_second, Steady now);
  void leave(std::int64_t transfer, Steady now);

  // Goes in line, if nothing is left of its last grant. True: something is, and it may go on.
  bool ask(std::int64_t transfer, For what);
  // The same, and those in line get what there is. A transfer asks when it has read, and calls this
  // in its next turn: else the first to read in a turn would take what is left of it every time.
  bool may(std::int64_t transfer, For what, Steady now);
  void count(std::int64_t transfer, std::int64_t bytes, Steady now);
  // The most it should read at once.
  std::int64_t piece(std::int64_t transfer) const;
  // Until the first of those who wait may go on; nothing: nobody waits.
  std::optional<Millis> next(Steady now);

 private:
  struct Job {
    std::optional<TokenBucket> bucket;
    int transfers = 0;
  };
  struct Transfer {
    JobId job;
    std::int64_t granted = 0;  // Taken from the buckets, and not read yet.
    std::int64_t wanted = 0;   // More than zero: it waits in line.
    std::int64_t served = 0;   // Its place in line: who had least goes first.
  };

  // Those a transfer takes from; null: that limit does not hold.
  struct Buckets {
    TokenBucket* all = nullptr;
    TokenBucket* of_job = nullptr;

    void take(std::int64_t bytes);
    void give_back(std::int64_t bytes);
    Millis until(std::int64_t bytes) const;
  };
  Buckets earned(const Transfer& transfer, Steady now);
  void share_out(Steady now);

  std::optional<TokenBucket> all_;
  std::map<JobId, Job> jobs_;
  std::map<std::int64_t, Transfer> transfers_;
  std::set<std::pair<std::int64_t, std::int64_t>> line_;  // By served, then number.
  std::int64_t served_ = 0;  // Of the last that was granted something: newcomers begin there.
  std::int64_t last_ = 0;
};

}  // namespace haul

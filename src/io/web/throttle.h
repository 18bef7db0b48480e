#pragma once
// The speed limits of the process, for transfers on any thread.

#include <cstdint>
#include <memory>
#include <optional>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/speed_schedule.h"
#include "io/web/speed_limits.h"

namespace haul::io {

class Throttle {
 public:
  // Bytes per second for all transfers together; zero for no limit.
  Throttle(const Clock& clock, std::int64_t per_second);
  // The limit follows the plan, also for transfers that run already.
  Throttle(const Clock& clock, SpeedPlan plan);

  // One transfer's share of the limits, while this object lives. The throttle must outlive it.
  class Share {
   public:
    Share(Throttle& throttle, std::int64_t number) : throttle_{throttle}, number_{number} {}
    ~Share();
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;

    // As in SpeedLimits.
    bool ask(SpeedLimits::For what);
    bool may(SpeedLimits::For what);
    void count(std::int64_t bytes);
    std::int64_t piece() const;

   private:
    Throttle& throttle_;
    const std::int64_t number_;
  };

  // `job_per_second` is zero for a job without a limit. Null if no limit applies.
  std::unique_ptr<Share> join(JobId job, std::int64_t job_per_second);
  // How long a thread should sleep before its waiting transfers ask again.
  Millis wait();

 private:
  void follow() REQUIRES(mutex_);

  const Clock& clock_;
  const SpeedPlan plan_;
  mutable Mutex mutex_;
  SpeedLimits limits_ GUARDED_BY(mutex_);
  Steady followed_at_ GUARDED_BY(mutex_);
};

// The limits that apply to a transfer.
struct SpeedRule {
  Throttle* throttle = nullptr;  // Null if there is no limit at all.
  JobId job;
  std::int64_t per_second = 0;  // The job's own limit; zero for none.

  std::unique_ptr<Throttle::Share> join() const {
    return throttle ? throttle->join(job, per_second) : nullptr;
  }
};

}  // namespace haul::io

#include "io/web/throttle.h"

#include <algorithm>
#include <utility>

namespace haul::io {
namespace {

constexpr Millis kSoonest{0};
constexpr Millis kLatest{50};  // Transfers of another thread may give bytes back meanwhile.
constexpr Millis kFollowEvery{200};

}  // namespace

Throttle::Throttle(const Clock& clock, std::int64_t per_second)
    : Throttle{clock, SpeedPlan{.otherwise = per_second}} {}

Throttle::Throttle(const Clock& clock, SpeedPlan plan)
    : clock_{clock},
      plan_{std::move(plan)},
      limits_{rate_at(plan_, clock.now()), clock.steady(),
              plan_.windows.empty() ? SpeedLimits::Joins::limited : SpeedLimits::Joins::all},
      followed_at_{clock.steady()} {}

void Throttle::follow() {
  const Steady now = clock_.steady();
  if (plan_.windows.empty() || now - followed_at_ < kFollowEvery) return;
  followed_at_ = now;
  limits_.set_rate(rate_at(plan_, clock_.now()), now);
}

std::unique_ptr<Throttle::Share> Throttle::join(JobId job, std::int64_t job_per_second) {
  const Lock lock{mutex_};
  follow();
  const auto number = limits_.join(job, job_per_second, clock_.steady());
  return number ? std::make_unique<Share>(*this, *number) : nullptr;
}

Millis Throttle::wait() {
  const Lock lock{mutex_};
  follow();
  return std::clamp(limits_.next(clock_.steady()).value_or(kLatest), kSoonest, kLatest);
}

Throttle::Share::~Share() {
  const Lock lock{throttle_.mutex_};
  throttle_.limits_.leave(number_, throttle_.clock_.steady());
}

bool Throttle::Share::ask(SpeedLimits::For what) {
  const Lock lock{throttle_.mutex_};
  return throttle_.limits_.ask(number_, what);
}

bool Throttle::Share::may(SpeedLimits::For what) {
  const Lock lock{throttle_.mutex_};
  throttle_.follow();
  return throttle_.limits_.may(number_, what, throttle_.clock_.steady());
}

void Throttle::Share::count(std::int64_t bytes) {
  const Lock lock{throttle_.mutex_};
  throttle_.limits_.count(number_, bytes, throttle_.clock_.steady());
}

std::int64_t Throttle::Share::piece() const {
  const Lock lock{throttle_.mutex_};
  return throttle_.limits_.piece(number_);
}

}  // namespace haul::io

#include "flow/worker/service_hold.h"

#include <utility>

namespace haul::flow {

void ServiceHold::begin(Told told) {
  const Lock lock{mutex_};
  told_ = std::move(told);
}

void ServiceHold::end(std::string_view part) {
  const Lock lock{mutex_};
  if (told_ && told_->part == part) told_.reset();
}

std::optional<ServiceHold::Told> ServiceHold::find() const {
  const Lock lock{mutex_};
  return told_;
}

std::size_t ServiceHold::take(Steady now, Millis wait) {
  const Lock lock{mutex_};
  if (!told_) return kAll;
  if (now < told_->until) return 0;
  if (told_->ends == Ends::by_time) {
    told_.reset();
    return kAll;
  }
  told_->until = now + wait;
  told_->until_at += wait;
  return 1;
}

}  // namespace haul::flow

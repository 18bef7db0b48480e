#include "flow/worker/own_duties.h"

namespace haul::flow {

bool OwnDuties::take(const std::string& name, WorkerId worker) {
  const Steady now = clock_.steady();
  {
    const Lock lock{mutex_};
    const auto found = known_.find(name);
    if (found != known_.end() && now - found->second.checked < check_every_)
      return found->second.mine.has_value();
  }
  Duty duty = store_.duties().take(name, worker, std::nullopt);
  if (const auto silent = silent_.find(duty.holder); silent != silent_.end())
    duty = store_.duties().take(name, worker, SilentWorker{silent->first, silent->second});
  const bool is_mine = duty.holder == worker;
  const Lock lock{mutex_};
  known_[name] = {.checked = now, .mine = is_mine ? std::optional{duty} : std::nullopt};
  return is_mine;
}

std::optional<Duty> OwnDuties::held(const std::string& name) const {
  const Steady now = clock_.steady();
  const Lock lock{mutex_};
  const auto found = known_.find(name);
  const bool is_fresh = found != known_.end() && now - found->second.checked < kDutyLease;
  return is_fresh ? found->second.mine : std::nullopt;
}

bool OwnDuties::still_holds(const std::string& name) const {
  std::optional<Duty> duty;
  {
    const Lock lock{mutex_};
    if (const auto found = known_.find(name); found != known_.end()) duty = found->second.mine;
  }
  return duty && store_.duties().holds(*duty);
}

void OwnDuties::want(const std::string& name) {
  const Lock lock{mutex_};
  wanted_.insert(name);
}

void OwnDuties::take_wanted(WorkerId worker) {
  std::set<std::string> wanted;
  {
    const Lock lock{mutex_};
    wanted = wanted_;
  }
  for (const std::string& name : wanted) take(name, worker);
}

void OwnDuties::see_silent(const SilentWorker& silent) { silent_[silent.worker] = silent.beat; }

void OwnDuties::give_all(WorkerId worker) {
  store_.duties().give_all(worker);
  const Lock lock{mutex_};
  known_.clear();
}

}  // namespace haul::flow

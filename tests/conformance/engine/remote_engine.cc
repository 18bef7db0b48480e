#include "conformance/engine/remote_engine.h"

#include <algorithm>

namespace haul::conformance {

std::string_view name_of(RemoteRule rule) {
  switch (rule) {
    case RemoteRule::outlives:
      return "outlives";
    case RemoteRule::repeats:
      return "repeats";
    case RemoteRule::outages:
      return "outages";
    case RemoteRule::asks:
      return "asks";
    case RemoteRule::strangers:
      return "strangers";
    case RemoteRule::quiet:
      return "quiet";
  }
  return "";  // Not reached: the switch is complete.
}

std::optional<std::string> RemoteBench::start(const Order& order) {
  const bool has_handle = exempt(RemoteRule::outlives).empty();
  const auto handle = [&]() -> std::optional<std::string> {
    if (const auto accepted = told<Accepted>(order)) return accepted->handle;
    if (!has_handle && told<Moving>(order)) return "";
    return std::nullopt;
  };
  sights.take();
  engine().start(order, sights);
  until([&] { return handle() || told<Failed>(order); }, kPatience);
  return handle();
}

Order RemoteBench::started(std::int64_t job) {
  Order order = this->order(job);
  const auto handle = start(order);
  REQUIRE(handle);
  order.handle = *handle;
  return order;
}

std::map<JobId, std::vector<What>> RemoteBench::look(const std::vector<Order>& orders) {
  const auto seen = [this] {
    std::map<JobId, std::vector<What>> by_job;
    for (const Sight& sight : sights.all())
      if (!std::holds_alternative<Accepted>(sight.what)) by_job[sight.job].push_back(sight.what);
    return by_job;
  };
  sights.take();
  engine().look(orders, sights);
  until([&] { return seen().size() >= orders.size(); }, kPatience);
  return seen();
}

std::optional<Stopped> RemoteBench::stop(const Order& order) {
  sights.take();
  engine().stop(order, Leftovers::remove, sights);
  until([&] { return told<Stopped>(order) || told<Failed>(order); }, kStopWithin);
  return told<Stopped>(order);
}

bool RemoteBench::is_quiet() {
  until([] { return false; }, kQuiet);
  const std::vector<Sight> all = sights.all();
  return !all.empty() && std::holds_alternative<Stopped>(all.back().what);
}

}  // namespace haul::conformance

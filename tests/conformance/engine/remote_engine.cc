#include "conformance/engine/remote_engine.h"

#include <algorithm>

namespace haul::conformance {

std::string_view name_of(RemoteRule rule) {
  switch (rule) {
    case RemoteRule::outages:
      return "outages";
    case RemoteRule::strangers:
      return "strangers";
    case RemoteRule::repeats:
      return "repeats";
  }
  return "";  // Not reached: the switch is complete.
}

std::optional<Accepted> RemoteBench::start(const Order& order) {
  sights.take();
  engine().start(order, sights);
  until([&] { return told<Accepted>(order) || told<Failed>(order); }, kPatience);
  return told<Accepted>(order);
}

Order RemoteBench::started(std::int64_t job) {
  Order order = this->order(job);
  const auto accepted = start(order);
  REQUIRE(accepted);
  order.handle = accepted->handle;
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

}  // namespace haul::conformance

#include "conformance/engine/item_engine.h"

#include <algorithm>

namespace haul::conformance {
namespace {

namespace fs = std::filesystem;

bool has_mark(const fs::directory_entry& entry) {
  return entry.path().filename().string().find(".haul-") != std::string::npos;
}

}  // namespace

std::string_view name_of(ItemRule rule) {
  switch (rule) {
    case ItemRule::has_files:
      return "has_files";
    case ItemRule::quiet_after_end:
      return "quiet_after_end";
    case ItemRule::fails:
      return "fails";
    case ItemRule::clears_jobs:
      return "clears_jobs";
  }
  return "";  // Not reached: the switch is complete.
}

std::vector<Sight> ItemBench::of(const Order& order) const {
  std::vector<Sight> found = sights.all();
  std::erase_if(found, [&](const Sight& sight) {
    return sight.job != order.job || sight.item != order.item || sight.start != order.start;
  });
  return found;
}

int ItemBench::ends(const Order& order) const {
  const std::vector<Sight> found = of(order);
  return static_cast<int>(std::ranges::count_if(found, is_end, &Sight::what));
}

bool ItemBench::is_quiet(const Order& order) {
  const std::size_t before = of(order).size();
  return !until([&] { return of(order).size() > before; }, kQuiet);
}

std::optional<Fetched> ItemBench::fetch(const Order& order) {
  engine().start(order, sights);
  until([&] { return told<Fetched>(order) || ends(order) > 0; }, kPatience);
  return told<Fetched>(order);
}

std::optional<Finished> ItemBench::finish(const Order& order) {
  if (fetch(order)) engine().land(order, sights);
  until([&] { return ends(order) > 0; }, kPatience);
  return told<Finished>(order);
}

std::optional<Stopped> ItemBench::stop(const Order& order, Leftovers leftovers) {
  engine().stop(order, leftovers, sights);
  return await<Stopped>(order, kStopWithin);
}

std::vector<std::string> ItemBench::leftovers() const {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator{folder()})
    if (has_mark(entry)) names.push_back(entry.path().filename().string());
  return names;
}

// Does not enter the folders of programs: a program's end removes them.
std::vector<std::string> ItemBench::files() const {
  std::vector<std::string> paths;
  for (fs::recursive_directory_iterator at{folder()}, end; at != end; ++at) {
    if (has_mark(*at))
      at.disable_recursion_pending();
    else if (at->is_regular_file())
      paths.push_back(at->path().string());
  }
  return paths;
}

Order next_lease(Order order, const std::string& checkpoint) {
  ++order.fence;
  ++order.start;
  order.checkpoint = checkpoint;
  return order;
}

}  // namespace haul::conformance

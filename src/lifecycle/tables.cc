#include "lifecycle/tables.h"

#include <algorithm>
#include <vector>

#include "base/ensure.h"

namespace haul {
namespace {

using Tables = std::vector<const Lifecycle*>;

Tables& tables() {
  static Tables all{&kBook, &kMedia, &kBatch, &kItem, &kRelay, &kImage};
  return all;
}

}  // namespace

std::span<const Lifecycle* const> all_lifecycles() { return tables(); }

bool is_item(const Lifecycle& lifecycle) {
  return std::ranges::any_of(tables(),
                             [&](const Lifecycle* each) { return each->items == &lifecycle; });
}

std::string lifecycle_names(NamesOf which) {
  Tables listed = tables();
  if (which == NamesOf::jobs)
    std::erase_if(listed, [](const Lifecycle* each) { return is_item(*each); });
  std::string text;
  for (const Lifecycle* each : listed)
    text.append(each == listed.front()  ? ""
                : each == listed.back() ? " or "
                                        : ", ")
        .append(each->name);
  return text;
}

const Lifecycle* find_lifecycle(std::string_view name) {
  const auto found = std::ranges::find(tables(), name, &Lifecycle::name);
  return found == tables().end() ? nullptr : *found;
}

OwnLifecycle::OwnLifecycle(const Lifecycle& table) : table_{table} {
  ensure(!find_lifecycle(table.name), "each lifecycle has a name of its own");
  ensure(!table.states.empty(), "a lifecycle has a state to begin in");
  tables().push_back(&table);
}

OwnLifecycle::~OwnLifecycle() {
  const auto removed = std::erase(tables(), &table_);
  ensure(removed == 1, "a lifecycle is registered once, while its object lives");
}

}  // namespace haul

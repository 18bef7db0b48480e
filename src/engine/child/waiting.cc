#include "engine/child/waiting.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "seam/item_key.h"

namespace haul::child {

void WaitingItems::add(const Order& order, Inbox& inbox) { waiting_.push_back({order, &inbox}); }

bool WaitingItems::remove(const Key& key) {
  return std::erase_if(waiting_, [&](const Each& each) {
           return each.inbox == key.first && each.order.start == key.second;
         }) > 0;
}

bool WaitingItems::has(JobId job, std::int64_t fence) const {
  return std::ranges::any_of(waiting_, [&](const Each& each) {
    return each.order.job == job && each.order.fence == fence;
  });
}

void WaitingItems::stay_heard() const {
  for (const Each& each : waiting_)
    each.inbox->push({each.order.job, each.order.item, each.order.fence, each.order.start,
                      Waiting{"Waiting for a process"}});
}

WaitingItems::Group WaitingItems::take(
    std::size_t most, const std::function<bool(JobId, std::int64_t fence)>& may_begin) {
  const auto first = std::ranges::find_if(
      waiting_, [&](const Each& each) { return may_begin(each.order.job, each.order.fence); });
  if (first == waiting_.end()) return {};
  const JobId job = first->order.job;
  const std::int64_t fence = first->order.fence;
  Group group{.orders = {}, .inbox = first->inbox};

  // Groups the job's items by page and index. A program fetches them in that order.
  std::map<std::string, std::map<std::int64_t, Order>> pages;
  std::vector<std::string> in_order;
  for (const Each& each : waiting_) {
    if (each.order.job != job || each.order.fence != fence) continue;
    const auto item = page_item_of(each.order.key).value_or(PageItem{0, each.order.key});
    if (!pages.contains(item.page)) in_order.push_back(item.page);
    pages[item.page].emplace(item.index, each.order);
  }
  const auto indices = [&](const std::string& page) {
    std::set<std::int64_t> found;
    for (const auto& [index, order] : pages[page]) found.insert(index);
    return found;
  };

  const std::set<std::int64_t> wanted = indices(in_order.front());
  for (const std::string& page : in_order) {
    const bool fits = group.orders.empty() || group.orders.size() + wanted.size() <= most;
    if (!fits || indices(page) != wanted) continue;
    for (const auto& [index, order] : pages[page])
      if (group.orders.size() < most) group.orders.push_back(order);
  }
  for (const Order& order : group.orders) remove({group.inbox, order.start});
  return group;
}

}  // namespace haul::child

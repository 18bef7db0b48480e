#pragma once
// Items that wait for a process, grouped so that one process can fetch many items of a page.

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "seam/engine.h"

namespace haul::child {

class WaitingItems {
 public:
  using Key = std::pair<const Inbox*, std::int64_t>;
  struct Group {
    std::vector<Order> orders;  // Page by page, in index order. Every page has the same indices.
    Inbox* inbox = nullptr;
  };

  void add(const Order& order, Inbox& inbox);
  // False if the item does not wait here.
  bool remove(const Key& key);
  bool has(JobId job, std::int64_t fence) const;
  // Reports Waiting for every item, so that the flow does not give it up as silent.
  void stay_heard() const;
  // The next items that can share a process, at most `most`, of the first job that may start one.
  // Empty if there is none.
  Group take(std::size_t most, const std::function<bool(JobId, std::int64_t fence)>& may_begin);

 private:
  struct Each {
    Order order;
    Inbox* inbox = nullptr;
  };
  std::vector<Each> waiting_;
};

}  // namespace haul::child

#pragma once
// Items that are to start, put together so that one process can fetch many of a page.

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "engine/engine.h"

namespace haul {

class WaitingItems {
 public:
  using Key = std::pair<const Inbox*, std::int64_t>;
  struct Group {
    std::vector<Order> orders;  // Page by page, each with the same indices, in their order.
    Inbox* inbox = nullptr;
  };

  void add(const Order& order, Inbox& inbox);
  // False: it does not wait here.
  bool remove(const Key& key);
  bool has(JobId job, std::int64_t fence) const;
  // Whoever waits for its turn is not silent.
  void stay_heard() const;
  // The next that can share a process, of a job that may begin one; empty: none.
  Group take(std::size_t most, const std::function<bool(JobId, std::int64_t fence)>& may_begin);

 private:
  struct Each {
    Order order;
    Inbox* inbox = nullptr;
  };
  std::vector<Each> waiting_;
};

}  // namespace haul

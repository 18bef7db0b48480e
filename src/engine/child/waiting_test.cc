// Which waiting items share a process.

#include "engine/child/waiting.h"

#include <doctest/doctest.h>

#include "seam/item_key.h"

using namespace haul;

namespace {

class Deaf final : public Inbox {
 public:
  void push(Sight) override {}
};

struct Queue {
  Deaf inbox;
  child::WaitingItems waiting;
  std::int64_t starts = 0;

  void add(std::int64_t index, const std::string& page, std::int64_t job = 1) {
    Order order{.job = JobId{job}, .item = ++starts, .fence = 1, .start = starts};
    order.key = item_key(kGalleryDl, {index, page});
    waiting.add(order, inbox);
  }
  // "1:a 2:a": what the next process is for.
  std::string take(std::size_t most = 64, std::int64_t not_of = 0) {
    std::string all;
    for (const Order& order :
         waiting.take(most, [&](JobId job, std::int64_t) { return job != JobId{not_of}; }).orders) {
      const auto item = page_item_of(order.key);
      all += (all.empty() ? "" : " ") + std::to_string(item->index) + ":" + item->page;
    }
    return all;
  }
};

}  // namespace

TEST_CASE("items of one page share a process, in the page's order") {
  Queue queue;
  queue.add(3, "a");
  queue.add(1, "a");
  queue.add(2, "b");

  CHECK(queue.take() == "1:a 3:a");
  CHECK(queue.take() == "2:b");
  CHECK(queue.take().empty());
}

TEST_CASE("pages of which the same is wanted share one, too") {
  Queue queue;
  for (const char* page : {"a", "b", "c"}) queue.add(1, page);
  queue.add(2, "b");

  CHECK(queue.take() == "1:a 1:c");
  CHECK(queue.take() == "1:b 2:b");
}

TEST_CASE("no process gets more than it may have") {
  Queue queue;
  for (int i = 1; i <= 5; ++i) queue.add(i, "a");

  CHECK(queue.take(2) == "1:a 2:a");
  CHECK(queue.take(1) == "3:a");
  CHECK(queue.take(2) == "4:a 5:a");
}

TEST_CASE("jobs do not mix, and one that is busy waits") {
  Queue queue;
  queue.add(1, "a", 1);
  queue.add(1, "a", 2);

  CHECK(queue.take(64, 1) == "1:a");
  CHECK(queue.waiting.has(JobId{1}, 1));
  CHECK(!queue.waiting.has(JobId{2}, 1));
  CHECK(queue.take(64, 1).empty());
  CHECK(queue.waiting.remove({&queue.inbox, 1}));
  CHECK(!queue.waiting.remove({&queue.inbox, 1}));
  CHECK(queue.take().empty());
}

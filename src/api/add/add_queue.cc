#include "api/add/add_queue.h"

#include <algorithm>
#include <utility>

#include "base/ensure.h"

namespace haul::api {
namespace {

constexpr std::size_t kReadAtOnce = 16;  // Limits how long the adder waits for the reader.
constexpr std::size_t kGroupMax = 256;

}  // namespace

AddQueue::AddQueue(Api& api, std::size_t waiting_max)
    : api_{api},
      waiting_max_{waiting_max},
      reader_{[this] { read_and_answer(); }},
      adder_{[this] { add(); }} {}

AddQueue::~AddQueue() {
  {
    const Lock lock{mutex_};
    stopping_ = true;
    to_read_.notify_all();
    to_add_.notify_all();
  }
  adder_.join();
  reader_.join();
}

bool AddQueue::put(PendingAdd& pending) {
  const Lock lock{mutex_};
  if (waiting_.size() >= waiting_max_) return false;
  waiting_.push_back(std::move(pending));
  if (should_read()) to_read_.notify_one();
  return true;
}

bool AddQueue::can_read() const {
  return !waiting_.empty() && (!read_ || read_->answers.size() < kGroupMax);
}

// While a transaction runs, waits for more: reading several requests at once is cheaper.
bool AddQueue::should_read() const {
  return can_read() && (!adding_ || waiting_.size() >= kReadAtOnce);
}

void AddQueue::read_and_answer() {
  for (;;) {
    {
      const Lock lock{mutex_};
      to_read_.wait(mutex_, [this]() REQUIRES(mutex_) {
        return stopping_ || !added_.empty() || should_read();
      });
      if (stopping_) return;
    }
    read_some();
    answer_added();
  }
}

void AddQueue::answer_added() {
  Groups groups;
  {
    const Lock lock{mutex_};
    groups.swap(added_);
  }
  for (const auto& group : groups) {
    auto next = group->answers.begin();
    group->adds.answer([&](WebReply reply) {
      ensure(next != group->answers.end(), "a group answers no more requests than it read");
      (*next++)(std::move(reply));
    });
    ensure(next == group->answers.end(), "a group answers every request that it read");
  }
}

void AddQueue::read_some() {
  std::vector<PendingAdd> some;
  std::unique_ptr<Group> group;
  {
    const Lock lock{mutex_};
    if (!can_read()) return;
    const auto end =
        waiting_.begin() + static_cast<std::ptrdiff_t>(std::min(waiting_.size(), kReadAtOnce));
    some.assign(std::make_move_iterator(waiting_.begin()), std::make_move_iterator(end));
    waiting_.erase(waiting_.begin(), end);
    group = std::move(read_);
  }
  if (!group) group = std::make_unique<Group>(api_);
  for (PendingAdd& each : some) {
    group->adds.read(std::move(each.request));
    group->answers.push_back(std::move(each.answer));
  }
  const Lock lock{mutex_};
  read_ = std::move(group);
  to_add_.notify_one();
}

void AddQueue::add() {
  for (std::unique_ptr<Group> group;;) {
    {
      const Lock lock{mutex_};
      if (group) added_.push_back(std::move(group));
      adding_ = false;
      to_read_.notify_one();
      to_add_.wait(mutex_, [this]() REQUIRES(mutex_) { return stopping_ || read_; });
      if (stopping_) return;
      group = std::move(read_);
      adding_ = true;
    }
    group->adds.add();
  }
}

}  // namespace haul::api

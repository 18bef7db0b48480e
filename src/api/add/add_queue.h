#pragma once
// Answers requests that add one job each. One thread reads requests and writes replies, another
// adds the jobs. Requests read while a transaction runs form the next group: under load many share
// one transaction, and a lone request waits for no other.

#include <deque>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "api/add/add_transaction.h"
#include "base/mutex.h"

namespace haul::api {

class AddQueue {
 public:
  struct PendingAdd {
    WebRequest request;
    std::function<void(WebReply)> answer;
  };

  AddQueue(Api& api, std::size_t waiting_max);
  // Drops waiting requests unanswered; waits for the running transaction.
  ~AddQueue();
  AddQueue(const AddQueue&) = delete;
  AddQueue& operator=(const AddQueue&) = delete;

  // Returns false if too many requests wait. `pending` then stays with the caller.
  [[nodiscard]] bool put(PendingAdd& pending);

 private:
  struct Group {
    explicit Group(Api& api) : adds{api} {}

    AddTransaction adds;
    std::vector<std::function<void(WebReply)>> answers;
  };
  using Groups = std::vector<std::unique_ptr<Group>>;

  void read_and_answer();
  void answer_added();
  void read_some();
  void add();
  bool can_read() const REQUIRES(mutex_);
  bool should_read() const REQUIRES(mutex_);

  Api& api_;
  const std::size_t waiting_max_;
  Mutex mutex_;
  Condition to_read_;  // Requests to read, or groups to answer.
  Condition to_add_;
  std::deque<PendingAdd> waiting_ GUARDED_BY(mutex_);
  std::unique_ptr<Group> read_ GUARDED_BY(mutex_);  // Null: none yet, or the reader fills it.
  Groups added_ GUARDED_BY(mutex_);
  bool adding_ GUARDED_BY(mutex_) = false;
  bool stopping_ GUARDED_BY(mutex_) = false;
  std::thread reader_;
  std::thread adder_;
};

}  // namespace haul::api

#pragma once
// Where requests for one job each are answered. Two threads: one reads requests and writes answers,
// the other adds. What is read while it adds is added next, together: under load a transaction has
// many, alone a request waits for nobody.

#include <deque>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "api/add_group.h"
#include "base/mutex.h"

namespace haul {

class AddDesk {
 public:
  struct Asked {
    WebRequest request;
    std::function<void(WebReply)> answer;
  };

  AddDesk(Api& api, std::size_t waiting_max);
  // What waits is dropped; what is being added is waited for.
  ~AddDesk();
  AddDesk(const AddDesk&) = delete;
  AddDesk& operator=(const AddDesk&) = delete;

  // False: too many are waiting, and it is left with whoever brought it.
  [[nodiscard]] bool put(Asked& asked);

 private:
  struct Group {
    explicit Group(Api& api) : adds{api} {}

    AddGroup adds;
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
  Condition to_read_;  // Or to answer.
  Condition to_add_;
  std::deque<Asked> waiting_ GUARDED_BY(mutex_);
  std::unique_ptr<Group> read_ GUARDED_BY(mutex_);  // Nothing: there is none, or it is being read.
  Groups added_ GUARDED_BY(mutex_);
  bool adding_ GUARDED_BY(mutex_) = false;
  bool stopping_ GUARDED_BY(mutex_) = false;
  std::thread reader_;
  std::thread adder_;
};

}  // namespace haul

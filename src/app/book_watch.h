#pragma once
// Checks the files of books on its own thread, so that a slow disk blocks no other work.

#include <thread>

#include "base/mutex.h"
#include "flow/book/book_check.h"
#include "flow/worker/own_duties.h"

namespace haul::app {

class BookWatch {
 public:
  // Checks only while this process has the duty to.
  BookWatch(Store& store, const Clock& clock, flow::BookCheckSettings settings,
            flow::OwnDuties& duties);
  ~BookWatch() { end(); }
  BookWatch(const BookWatch&) = delete;
  BookWatch& operator=(const BookWatch&) = delete;

  void begin();
  void end();  // Waits for the current check.

 private:
  void run();

  const flow::OwnDuties& duties_;
  Duty duty_;  // The current check runs under it. Only the thread uses it.
  flow::BookCheck check_;
  std::thread thread_;
  Mutex mutex_;
  Condition over_;
  bool ending_ GUARDED_BY(mutex_) = false;
};

}  // namespace haul::app

#pragma once
// Checks the library on its own thread, so that a slow disk blocks no other work.

#include <thread>

#include "base/mutex.h"
#include "flow/book/library_check.h"
#include "flow/worker/own_duties.h"

namespace haul::app {

class LibraryWatch {
 public:
  // Checks only while this process has the duty to.
  LibraryWatch(Store& store, const Clock& clock, flow::LibrarySettings settings,
               flow::OwnDuties& duties);
  ~LibraryWatch() { end(); }
  LibraryWatch(const LibraryWatch&) = delete;
  LibraryWatch& operator=(const LibraryWatch&) = delete;

  void begin();
  void end();  // Waits for the current check.

 private:
  void run();

  const flow::OwnDuties& duties_;
  Duty duty_;  // The current check runs under it. Only the thread uses it.
  flow::LibraryCheck library_;
  std::thread thread_;
  Mutex mutex_;
  Condition over_;
  bool ending_ GUARDED_BY(mutex_) = false;
};

}  // namespace haul::app

#pragma once
// Checks the library on its own thread, so that a slow disk blocks no other work.

#include <thread>

#include "base/mutex.h"
#include "flow/library.h"

namespace haul {

class LibraryWatch {
 public:
  LibraryWatch(Store& store, const Clock& clock, LibrarySettings settings);
  ~LibraryWatch() { end(); }
  LibraryWatch(const LibraryWatch&) = delete;
  LibraryWatch& operator=(const LibraryWatch&) = delete;

  void begin();
  void end();  // Waits for the current check.

 private:
  void run();

  Library library_;
  std::thread thread_;
  Mutex mutex_;
  Condition over_;
  bool ending_ GUARDED_BY(mutex_) = false;
};

}  // namespace haul

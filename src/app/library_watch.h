#pragma once
// Looks after the library on a thread of its own: a disk that is slow to answer holds up nobody.

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
  void end();  // Waits for the look that has begun.

 private:
  void run();

  Library library_;
  std::thread thread_;
  Mutex mutex_;
  Condition over_;
  bool ending_ GUARDED_BY(mutex_) = false;
};

}  // namespace haul

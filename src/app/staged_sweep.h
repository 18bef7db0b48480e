#pragma once
// Removes staged images of jobs that have ended: the work of a duty. While a job is open, its
// staged image is all there is of what was paid for, and lands again after a crash.

#include <filesystem>
#include <functional>
#include <string>

#include "io/file/folder.h"
#include "store/store.h"

namespace haul::app {

class StagedSweep {
 public:
  // Whether this process still has the duty, and goes on. Asked before each removal.
  using MayRemove = std::function<bool()>;
  // The folder is the image engine's. Its names begin with their owner (io/file/part_name.h).
  StagedSweep(Store& store, std::filesystem::path folder, MayRemove may_remove);

  // Looks at a bounded number of files, and returns when to call it again. Z-31: removes none in a
  // restored store. Never removes a file of another store.
  Millis step();

 private:
  void remove_ended(const io::Folder& folder, const std::vector<std::string>& names);

  Store& store_;
  const std::filesystem::path folder_;
  const MayRemove may_remove_;
  std::string after_;  // The next step goes on after this name. Empty: from the first.
};

}  // namespace haul::app

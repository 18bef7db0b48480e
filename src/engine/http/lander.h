#pragma once
// Threads that flush files and put them in their place, so that the one that moves bytes never
// waits for a disk. Whatever waits is done as one group: its flushes share the disk's work.

#include <functional>
#include <memory>
#include <string>

#include "engine/http/http.h"
#include "engine/http/request.h"
#include "io/folder.h"

namespace haul {

struct LandTask {
  std::shared_ptr<const Folder> folder;
  std::shared_ptr<const File> file;
  std::string part;  // Empty: the file has no name yet.
  std::string target;
  Checksum wanted;                     // Without digits: not hashed.
  std::shared_ptr<const Folder> from;  // Where the part lies, if not where it is to land.
  bool is_named = false;               // It lies there already, and was perhaps not flushed.
};

class Lander {
 public:
  virtual ~Lander() = default;
  // `done` runs on a thread of the lander's: the file is in its place, or why not.
  virtual void land(LandTask task, std::function<void(Result<void>)> done) = 0;
  virtual void flush(std::shared_ptr<const File> file, std::function<void(Result<void>)> done) = 0;
  // Lets the disk begin with what is there, so that less is left to wait for at the end.
  virtual void begin_flush(std::shared_ptr<const File> file, std::function<void()> done) = 0;
};

std::unique_ptr<Lander> make_lander(Durability durability);

}  // namespace haul

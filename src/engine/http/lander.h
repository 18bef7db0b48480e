#pragma once
// Threads that flush files and put them in their place, so that the HTTP loop never waits for a
// disk. With Durability::batch, all waiting tasks form one group, whose flushes share the disk's
// work.

#include <functional>
#include <memory>
#include <string>

#include "engine/http/http.h"
#include "engine/http/request.h"
#include "io/file/folder.h"

namespace haul {

struct LandTask {
  std::shared_ptr<const Folder> folder;
  std::shared_ptr<const File> file;
  std::string part;  // Empty if the file has no name yet.
  std::string target;
  Checksum wanted;                     // Not checked if its hex is empty.
  std::shared_ptr<const Folder> from;  // The part's folder, if it is not `folder`.
  bool is_named = false;               // The file is already in its place, but maybe not flushed.
};

class Lander {
 public:
  virtual ~Lander() = default;
  // Puts the file in its place. `done` runs on a thread of the lander, with a fault on failure.
  virtual void land(LandTask task, std::function<void(Result<void>)> done) = 0;
  virtual void flush(std::shared_ptr<const File> file, std::function<void(Result<void>)> done) = 0;
  // Lets the disk start writing, so that the last flush has less to wait for.
  virtual void begin_flush(std::shared_ptr<const File> file, std::function<void()> done) = 0;
};

std::unique_ptr<Lander> make_lander(Durability durability);

}  // namespace haul

#pragma once
// A folder for files that haul passes on in a moment. The bytes of each file are reserved before it
// is made, also on the disk, only haul's own user can read it, and it goes with its owner. What a
// crash left is swept. Used by one thread.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "base/clock.h"
#include "io/file/folder.h"
#include "io/file/part_name.h"
#include "io/file/room.h"

namespace haul::io {

struct SpoolSettings {
  std::filesystem::path folder;
  std::int64_t max_bytes = 0;  // Of all files together.
  Millis ttl{3'600'000};       // A file that was not written to for longer is left over.
  std::string store{};         // The id of haul's store. Files of other stores stay.
};

class Spool;

// The spool outlives it.
class SpoolFile {
 public:
  // Its bytes are reserved in `room`.
  SpoolFile(Spool& spool, File file, std::string name, std::int64_t reserved,
            std::unique_ptr<Room> room);
  ~SpoolFile();
  SpoolFile(const SpoolFile&) = delete;
  SpoolFile& operator=(const SpoolFile&) = delete;

  // No more than was reserved: the rest is a `spool_full`. A `disk_full` if others have filled the
  // disk meanwhile.
  [[nodiscard]] Result<void> append(std::span<const std::byte> bytes);
  [[nodiscard]] Result<std::size_t> read_at(std::span<std::byte> bytes, std::int64_t offset) const;

 private:
  Spool& spool_;
  File file_;
  const std::string name_;
  const std::int64_t reserved_;
  const std::unique_ptr<Room> room_;
  std::int64_t size_ = 0;
};

class Spool {
 public:
  // Removes what earlier processes of the store left. Calls `on_use` with the reserved bytes
  // whenever they change. The space and the clock outlive it.
  Spool(SpoolSettings settings, DiskSpace& space, const Clock& clock,
        std::function<void(std::int64_t)> on_use = {});

  // Null if it, or its disk beside what must stay free, has no room for so many bytes, or if the
  // folder cannot be used.
  std::unique_ptr<SpoolFile> make(const PartOwner& owner, std::int64_t size);
  // Removes files of the store that were not written to for longer than the TTL. A file that is
  // still read loses its name only.
  void sweep() { sweep(settings_.ttl); }
  std::int64_t used() const { return used_; }

 private:
  friend class SpoolFile;

  bool open();
  void sweep(Millis older_than);
  void use(std::int64_t bytes);

  const SpoolSettings settings_;
  DiskSpace& space_;
  const Clock& clock_;
  const std::function<void(std::int64_t)> on_use_;
  std::shared_ptr<const Folder> folder_;
  std::int64_t used_ = 0;
  int made_ = 0;
};

}  // namespace haul::io

#pragma once
// A folder that keeps objects by their keys, as a bucket does. Objects are whole before they have
// their names, and only haul's user may read them. Several stores may share the folder.

#include <cstdint>
#include <filesystem>
#include <string>

#include "base/clock.h"
#include "base/fault.h"
#include "io/file/copy.h"
#include "io/file/folder.h"
#include "io/file/part_name.h"
#include "io/file/room.h"

namespace haul::bucket {

struct ObjectToPut {
  std::string key;             // "originals/a1b2c3d4e5f6/7/0.png"
  std::filesystem::path from;  // Stays as it is.
  std::string sha256{};        // What the bytes must be. Empty if that is not known.
  io::PartOwner owner;         // Of the part.
};

struct ObjectSeen {
  std::int64_t size = 0;
  std::string sha256;

  bool operator==(const ObjectSeen&) const = default;
};

class ObjectFolder {
 public:
  // `store` is the id of haul's store. The space and the clock outlive it.
  ObjectFolder(std::filesystem::path root, std::string store, io::DiskSpace& space,
               const Clock& clock);

  const std::string& store() const { return store_; }

  // Copies a file to its key: part, flush, rename, flush of the folders. Replaces another object of
  // that key; leaves the same one as it is. Removes what earlier landings of the owner's job left.
  // Returns what a look at the object has found afterwards.
  // Faults: `staged_gone` (retryable) if there is no such file, `staged_changed` (retryable) if it
  // has other bytes, `stopped` (cancelled), and those of the disk.
  Result<ObjectSeen> put(const ObjectToPut& object, const std::stop_token& stop) const;

  // Whether put() could store a small object under this key now: makes the folders and writes a
  // part, which it removes. Faults: those of the disk.
  Result<void> check(const std::string& key) const;

 private:
  struct Places;
  Result<Places> open_places(const std::string& key) const;
  Result<ObjectSeen> copy(const io::File& from, const Places& places, const ObjectToPut& object,
                          const std::stop_token& stop) const;

  const std::filesystem::path root_;
  const std::string store_;
  io::DiskSpace& space_;
  const Clock& clock_;
};

// Opens an object for reading. Fault `no_such_object` (permanent) if there is none.
Result<io::File> open_object(const std::filesystem::path& root, std::string_view key);

}  // namespace haul::bucket

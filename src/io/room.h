#pragma once
// Whether a disk has room for more, beside what is to stay free on it.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/fault.h"
#include "base/time.h"
#include "io/folder.h"

namespace haul {

// `transfer.keep_free`; nothing: 1 GiB or 5 % of the disk, whichever is smaller.
struct KeepFree {
  std::optional<std::int64_t> bytes{};

  std::int64_t on_disk_of(std::int64_t all_bytes) const;
};

// A disk as it was seen.
struct DiskSeen {
  std::string path;             // A folder on it.
  std::int64_t free_bytes = 0;  // What a user may still write.
  std::int64_t all_bytes = 0;   // Zero: the file system does not say.
};

// What may still be written; below zero: too much is written already.
std::int64_t room_on(const DiskSeen& disk, KeepFree keep);
// `disk_full`: names the folder, what is free, and the setting.
Fault no_room(const DiskSeen& disk, KeepFree keep, std::int64_t wanted);

// The disk of one folder, looked at now and then: to ask the system before every write costs more
// than it is worth. One thread uses it.
class Room {
 public:
  Room(std::shared_ptr<const Folder> folder, KeepFree keep)
      : folder_{std::move(folder)}, keep_{keep} {}

  // Whether so many bytes may still come.
  [[nodiscard]] Result<void> has(std::int64_t bytes, Steady now);
  // The same for bytes that are written now.
  [[nodiscard]] Result<void> take(std::int64_t bytes, Steady now);

 private:
  DiskSeen look() const;

  std::shared_ptr<const Folder> folder_;
  KeepFree keep_;
  std::int64_t left_ = 0;  // As far as is known since the last look.
  std::optional<Steady> looked_;
};

}  // namespace haul

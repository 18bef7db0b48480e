#pragma once
// Checks whether a disk has room for more bytes, besides what must stay free on it.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/fault.h"
#include "base/time.h"
#include "io/folder.h"

namespace haul {

// `transfer.keep_free`. Default: 1 GiB or 5 % of the disk, whichever is smaller.
struct KeepFree {
  std::optional<std::int64_t> bytes{};

  std::int64_t on_disk_of(std::int64_t all_bytes) const;
};

// The space of a disk at one moment.
struct DiskSeen {
  std::string path;             // A folder on it.
  std::int64_t free_bytes = 0;  // What an ordinary user may still write.
  std::int64_t all_bytes = 0;   // Zero if the file system does not say.
};

// What may still be written. Below zero if less is free than must stay free.
std::int64_t room_on(const DiskSeen& disk, KeepFree keep);
// Fault `disk_full`; its detail names the folder, the free space and the setting.
Fault no_room(const DiskSeen& disk, KeepFree keep, std::int64_t wanted);

// The room on the disk of one folder. It trusts an answer of the system for 100 ms, because to ask
// before every write costs more than it is worth. Not thread-safe.
class Room {
 public:
  Room(std::shared_ptr<const Folder> folder, KeepFree keep)
      : folder_{std::move(folder)}, keep_{keep} {}

  // Fault `disk_full` if this many bytes may no longer be written.
  [[nodiscard]] Result<void> has(std::int64_t bytes, Steady now);
  // The same, and counts the bytes as written.
  [[nodiscard]] Result<void> take(std::int64_t bytes, Steady now);

 private:
  DiskSeen look() const;

  std::shared_ptr<const Folder> folder_;
  KeepFree keep_;
  std::int64_t left_ = 0;  // The room at the last look, less what was taken since.
  std::optional<Steady> looked_;
};

}  // namespace haul

#pragma once
// Whether a disk has room for more, beside what is to stay free on it and what other transfers of
// this process still have to write there.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/fault.h"
#include "base/mutex.h"
#include "base/time.h"
#include "io/file/disk_account.h"
#include "io/file/folder.h"

namespace haul::io {

// `transfer.keep_free`. Default: 1 GiB or 5 % of the disk, whichever is smaller.
struct KeepFree {
  std::optional<std::int64_t> bytes{};
  std::string_view setting = "transfer.keep_free";  // What the user calls it.

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

// What a transfer lacks.
struct Shortage {
  std::int64_t needed = 0;  // By the transfer; zero: its size is not known.
  std::int64_t others = 0;  // What others have reserved.
  std::int64_t missing = 0;
};
// `disk_full`: names the folder, what is free, who needs it, and the setting.
Fault no_room(const DiskSeen& disk, KeepFree keep, const Shortage& shortage);

// The account of one disk. Threads share it.
struct SharedDisk {
  Mutex mutex;
  DiskAccount account GUARDED_BY(mutex);
  std::optional<Steady> looked GUARDED_BY(mutex);
};

// A folder and the account of its disk.
struct FolderDisk {
  SharedDisk* disk = nullptr;  // Null: the disk has no account, and there is always room.
  std::shared_ptr<const Folder> folder{};
  KeepFree keep{};
};

// The disks that this process writes downloads to. Outlives every engine. Threads share it.
class DiskSpace {
 public:
  explicit DiskSpace(KeepFree keep = {}) : keep_{keep} {}

  FolderDisk of(std::shared_ptr<const Folder> folder);

 private:
  const KeepFree keep_;
  Mutex mutex_;
  std::map<std::uint64_t, SharedDisk> disks_ GUARDED_BY(mutex_);  // By device; few.
};

// One transfer's share of a disk. The disk is looked at now and then: to ask the system before
// every write costs more than it is worth. One thread uses it.
class Room {
 public:
  explicit Room(FolderDisk where) : where_{std::move(where)} {}
  ~Room() { release(); }
  Room(const Room&) = delete;
  Room& operator=(const Room&) = delete;

  // All that is still to come; zero: how much is not known, and nothing is reserved.
  [[nodiscard]] Result<void> reserve(std::int64_t bytes, Steady now);
  // Bytes that are written now; zero: only asks whether more may come. Refused, it reserves nothing
  // any more.
  [[nodiscard]] Result<void> take(std::int64_t bytes, Steady now);
  // Its transfer is over, or waits.
  void release();

 private:
  using Step = std::int64_t (DiskAccount::*)(Reserved&, std::int64_t);
  Result<void> ask(Step step, std::int64_t bytes, Steady now);
  DiskSeen look() const;

  FolderDisk where_;
  Reserved mine_;
};

}  // namespace haul::io

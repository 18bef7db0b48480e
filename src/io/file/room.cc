#include "io/file/room.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "base/size.h"

namespace haul::io {
namespace {

constexpr std::int64_t kUsualMost = std::int64_t{1} << 30U;
constexpr std::int64_t kUsualPart = 20;  // One in twenty: 5 %.
constexpr Millis kLookEvery{100};

}  // namespace

std::int64_t KeepFree::on_disk_of(std::int64_t all_bytes) const {
  return bytes.value_or(std::min(kUsualMost, all_bytes / kUsualPart));
}

std::int64_t room_on(const DiskSeen& disk, KeepFree keep) {
  if (disk.all_bytes == 0) return std::numeric_limits<std::int64_t>::max();
  return disk.free_bytes - keep.on_disk_of(disk.all_bytes);
}

Fault no_room(const DiskSeen& disk, KeepFree keep, const Shortage& shortage) {
  std::string detail = fmt::format("the disk of {} has {} free; {} keeps {} free", disk.path,
                                   size_text(disk.free_bytes), keep.setting,
                                   size_text(keep.on_disk_of(disk.all_bytes)));
  if (shortage.others > 0)
    detail += fmt::format(", other downloads need {}", size_text(shortage.others));
  if (shortage.needed > 0)
    detail += fmt::format(", this one needs {}: {} are missing", size_text(shortage.needed),
                          size_text(shortage.missing));
  return {FaultKind::environment, "disk_full", std::move(detail)};
}

FolderDisk DiskSpace::of(std::shared_ptr<const Folder> folder) {
  const auto id = folder_id(folder->held_path());
  const Lock lock{mutex_};
  SharedDisk& disk = disks_[id ? id->device : 0];
  return {.disk = &disk, .folder = std::move(folder), .keep = keep_};
}

DiskSeen Room::look() const {
  return {.path = where_.folder->path().string(),
          .free_bytes = where_.folder->free_bytes(),
          .all_bytes = where_.folder->all_bytes()};
}

Result<void> Room::ask(Step step, std::int64_t bytes, Steady now) {
  if (where_.disk == nullptr) return {};
  SharedDisk& disk = *where_.disk;
  {
    const Lock lock{disk.mutex};
    const bool is_fresh = disk.looked && now - *disk.looked < kLookEvery;
    if (is_fresh && (disk.account.*step)(mine_, bytes) == 0) return {};
  }
  const DiskSeen seen = look();  // Without the lock: a disk may take its time.
  const Lock lock{disk.mutex};
  disk.account.see(room_on(seen, where_.keep));
  disk.looked = now;
  const std::int64_t missing = (disk.account.*step)(mine_, bytes);
  if (missing == 0) return {};
  const bool is_known = mine_.bytes > 0 || step == &DiskAccount::reserve;
  const Shortage shortage{.needed = is_known ? std::max(mine_.bytes, bytes) : 0,
                          .others = disk.account.reserved_beside(mine_),
                          .missing = missing};
  disk.account.give_back(mine_);
  return std::unexpected{no_room(seen, where_.keep, shortage)};
}

Result<void> Room::reserve(std::int64_t bytes, Steady now) {
  return ask(&DiskAccount::reserve, bytes, now);
}

Result<void> Room::take(std::int64_t bytes, Steady now) {
  return ask(&DiskAccount::take, bytes, now);
}

void Room::release() {
  if (where_.disk == nullptr) return;
  const Lock lock{where_.disk->mutex};
  where_.disk->account.give_back(mine_);
}

}  // namespace haul::io

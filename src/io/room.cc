#include "io/room.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "base/size.h"

namespace haul {
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

Fault no_room(const DiskSeen& disk, KeepFree keep, std::int64_t wanted) {
  return {FaultKind::environment, "disk_full",
          fmt::format("the disk of {} has {} free{}, and transfer.keep_free keeps {} free",
                      disk.path, size_text(disk.free_bytes),
                      wanted > 0 ? fmt::format("; {} more are needed", size_text(wanted)) : "",
                      size_text(keep.on_disk_of(disk.all_bytes)))};
}

DiskSeen Room::look() const {
  return {.path = folder_->path().string(),
          .free_bytes = folder_->free_bytes(),
          .all_bytes = folder_->all_bytes()};
}

Result<void> Room::has(std::int64_t bytes, Steady now) {
  const bool is_fresh = looked_ && now - *looked_ < kLookEvery;
  if (is_fresh && bytes <= left_) return {};
  const DiskSeen disk = look();
  looked_ = now;
  left_ = room_on(disk, keep_);
  if (bytes <= left_ && left_ >= 0) return {};
  return std::unexpected{no_room(disk, keep_, bytes)};
}

Result<void> Room::take(std::int64_t bytes, Steady now) {
  auto has_it = has(bytes, now);
  if (has_it) left_ -= bytes;
  return has_it;
}

}  // namespace haul

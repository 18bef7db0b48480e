#include "io/file/disk_account.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/ensure.h"

namespace haul::io {
namespace {

// More than any disk has, and small enough to be added up.
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 8;

}  // namespace

void DiskAccount::see(std::int64_t room) { room_ = std::clamp(room, -kMost, kMost); }

std::int64_t DiskAccount::missing_for(const Reserved& mine, std::int64_t bytes) const {
  return std::max<std::int64_t>(reserved_beside(mine) + bytes - room_, 0);
}

std::int64_t DiskAccount::reserve(Reserved& mine, std::int64_t bytes) {
  ensure(bytes >= 0, "a transfer reserves a number of bytes that is not negative");
  bytes = std::min(bytes, kMost);
  if (const std::int64_t missing = missing_for(mine, bytes); missing > 0) return missing;
  reserved_ += bytes - std::exchange(mine.bytes, bytes);
  return 0;
}

// Where others have reserved something, all that is left of it must still be there: if another
// program fills the disk, one gives way while there is enough for another.
std::int64_t DiskAccount::take(Reserved& mine, std::int64_t bytes) {
  ensure(bytes >= 0, "a transfer writes a number of bytes that is not negative");
  const bool is_alone = reserved_beside(mine) == 0;
  const std::int64_t needed = is_alone ? bytes : std::max(mine.bytes, bytes);
  if (const std::int64_t missing = missing_for(mine, needed); missing > 0) return missing;
  room_ -= bytes;
  const std::int64_t used = std::min(mine.bytes, bytes);
  mine.bytes -= used;
  reserved_ -= used;
  return 0;
}

void DiskAccount::give_back(Reserved& mine) {
  ensure(mine.bytes >= 0 && mine.bytes <= reserved_, "a transfer gives back what it has reserved");
  reserved_ -= std::exchange(mine.bytes, 0);
}

}  // namespace haul::io

#include "io/file/journal.h"

#include <fmt/core.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace haul::io {

// ext4 shows its journal in /sys, if it has one. ext2 and ext3, which have the same magic number,
// have none or do not show it.
Journal journal_of(int folder) {
  struct statfs about{};
  struct stat seen{};
  if (::fstatfs(folder, &about) != 0 || ::fstat(folder, &seen) != 0) return Journal::unknown;
  if (about.f_type != EXT4_SUPER_MAGIC) return Journal::unknown;
  std::error_code error;
  const std::filesystem::path device = std::filesystem::canonical(
      fmt::format("/sys/dev/block/{}:{}", major(seen.st_dev), minor(seen.st_dev)), error);
  std::ifstream file{"/sys/fs/ext4" / device.filename() / "journal_task"};
  std::string task;
  const bool is_shown = !error && std::getline(file, task) && task != "<none>";
  return is_shown ? Journal::one : Journal::none;
}

}  // namespace haul::io

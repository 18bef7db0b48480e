#pragma once
// A small file system mounted on a folder, with a size the test sets. Needs root.

#include <sys/mount.h>

#include <cstdint>
#include <filesystem>

#include "support/run/skip.h"

namespace haul::testing {

class SmallDisk {
 public:
  explicit SmallDisk(std::filesystem::path path, const char* size = "size=1m")
      : path_{std::move(path)} {
    std::filesystem::create_directories(path_);
    mounted_ = ::mount("haul-test", path_.c_str(), "tmpfs", 0, size) == 0;
  }
  ~SmallDisk() {
    if (mounted_) ::umount2(path_.c_str(), MNT_DETACH);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  bool is_there() const {
    if (!mounted_) skip("only root can mount a disk");
    return mounted_;
  }
  enum class Writing : std::uint8_t { allowed, refused };
  // Remounts it. False if a file there is still open for writing.
  [[nodiscard]] bool change(Writing writing, const char* size) const {
    unsigned long flags = MS_REMOUNT;
    if (writing == Writing::refused) flags |= MS_RDONLY;
    return ::mount("haul-test", path_.c_str(), "tmpfs", flags, size) == 0;
  }

 private:
  std::filesystem::path path_;
  bool mounted_ = false;
};

}  // namespace haul::testing

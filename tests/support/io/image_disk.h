#pragma once
// A file system of its own, mounted on a folder: in an image file through a loop device, or in
// memory. Needs root, and for btrfs and xfs their packages.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "support/io/temp_folder.h"

namespace haul::testing {

enum class DiskKind : std::uint8_t { tmpfs, ext4, btrfs, xfs };
std::string_view name_of(DiskKind kind);

class ImageDisk {
 public:
  // `options` are for the program that makes the file system.
  explicit ImageDisk(DiskKind kind, const std::vector<std::string>& options = {});
  ~ImageDisk();
  ImageDisk(const ImageDisk&) = delete;
  ImageDisk& operator=(const ImageDisk&) = delete;

  // Reports the test as skipped, with the reason, if it is not there.
  bool is_there() const;
  const std::filesystem::path& folder() const { return folder_; }
  DiskKind kind() const { return kind_; }

  enum class Writes : std::uint8_t { allowed, refused };
  // False if a file there is still open for writing.
  [[nodiscard]] bool remount(Writes writes) const;
  // Leaves no room for a file of some megabytes, until free_it() is called.
  void fill() const;
  void free_it() const;
  // Free bytes, once all that was written before is on the disk.
  std::int64_t free_bytes() const;

 private:
  void mount(const std::vector<std::string>& options);

  const DiskKind kind_;
  TempFolder home_;
  std::filesystem::path folder_ = home_ / "disk";
  std::string why_not_;
};

}  // namespace haul::testing

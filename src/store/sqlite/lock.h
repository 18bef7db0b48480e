#pragma once
// One process per data folder: a locked file with the owner's pid. The lock ends with the process.

#include <cstdint>
#include <filesystem>
#include <optional>

namespace haul::sqlite {

class FolderLock {
 public:
  // Throws StoreFault::refused at once if another process has the lock; the message has its pid.
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  // True if the last owner did not close cleanly: its pid was still in the file.
  bool was_abandoned() const { return was_abandoned_; }

  // A mark in the lock file that outlives the process. It overwrites bytes that the file already
  // has, so setting it needs no space on the disk.
  bool is_marked() const { return is_marked_; }
  void set_mark() { write_mark(true); }
  void clear_mark() { write_mark(false); }

 private:
  void write_mark(bool marked);

  int descriptor_;
  bool was_abandoned_ = false;
  bool is_marked_ = false;
};

// The pid of the process that holds this folder's lock. Nothing if none does; zero if the holder
// could not write its pid.
// Creates nothing.
std::optional<std::int64_t> lock_owner(const std::filesystem::path& folder);

// SQLite's locks and shared memory do not hold on network file systems.
bool is_network_file_system(const std::filesystem::path& folder);

}  // namespace haul::sqlite

#pragma once
// One process per data folder: a lock file that holds its owner's pid and dies with the process.

#include <filesystem>

namespace haul::sqlite {

class FolderLock {
 public:
  // Throws StoreFault::refused at once, naming the owner's pid, if somebody else has it.
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  // The last owner did not close in order: its pid was still there.
  bool was_abandoned() const { return was_abandoned_; }

 private:
  int descriptor_;
  bool was_abandoned_ = false;
};

// SQLite's locks and shared memory do not hold on network file systems.
bool is_network_file_system(const std::filesystem::path& folder);

}  // namespace haul::sqlite

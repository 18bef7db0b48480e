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

 private:
  int descriptor_;
};

// SQLite's locks and shared memory do not hold on network file systems.
bool is_network_file_system(const std::filesystem::path& folder);

}  // namespace haul::sqlite

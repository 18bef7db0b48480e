#include "store/sqlite/lock.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <string>
#include <system_error>
#include <thread>

#include "store/refusal.h"

namespace haul::sqlite {
namespace {

// From linux/magic.h and the file systems' own sources: NFS, SMB (three spellings), FUSE, 9p, AFS,
// Ceph, Lustre.
constexpr std::array<std::int64_t, 9> kNetworkTypes{0x6969,     0x517b,     0xff534d42,
                                                    0xfe534d42, 0x65735546, 0x01021997,
                                                    0x5346414f, 0x00c36400, 0x0bd00bd0};

constexpr int kReadsMax = 1000;

// The owner writes its pid just after it took the lock; a reader that comes in between looks again.
std::string read_pid(int descriptor) {
  std::array<char, 32> text{};
  for (int i = 0; i < kReadsMax; ++i) {
    const ssize_t size = ::pread(descriptor, text.data(), text.size(), 0);
    if (size > 0) return {text.data(), static_cast<std::size_t>(size)};
    std::this_thread::yield();
  }
  return "unknown";
}

void write_pid(int descriptor) {
  const std::string pid = std::to_string(::getpid());
  if (::ftruncate(descriptor, 0) != 0 ||
      ::pwrite(descriptor, pid.data(), pid.size(), 0) != static_cast<ssize_t>(pid.size()))
    throw StoreFault{StoreFault::Kind::full, "cannot write the lock file"};
}

}  // namespace

FolderLock::FolderLock(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / "haul.lock";
  descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (descriptor_ < 0)
    throw StoreFault{
        StoreFault::Kind::refused,
        fmt::format("cannot open {}: {}", path.string(), std::generic_category().message(errno))};
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    const std::string pid = read_pid(descriptor_);
    ::close(descriptor_);
    throw StoreFault{StoreFault::Kind::refused,
                     fmt::format("{} is in use by another haul (pid {})", folder.string(), pid)};
  }
  was_abandoned_ = ::lseek(descriptor_, 0, SEEK_END) > 0;
  try {
    write_pid(descriptor_);
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

FolderLock::~FolderLock() {
  [[maybe_unused]] const int emptied = ::ftruncate(descriptor_, 0);
  ::close(descriptor_);
}

bool is_network_file_system(const std::filesystem::path& folder) {
  struct statfs about{};
  if (::statfs(folder.c_str(), &about) != 0) return false;
  return std::ranges::find(kNetworkTypes, static_cast<std::int64_t>(about.f_type)) !=
         kNetworkTypes.end();
}

}  // namespace haul::sqlite

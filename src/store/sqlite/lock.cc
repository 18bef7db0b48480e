#include "store/sqlite/lock.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
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

// The file has this many bytes from its first write on, so that a later write needs no space: the
// pid of its owner, the mark, and blanks.
constexpr std::size_t kRecordSize = 32;
constexpr std::string_view kMark = " outage";

std::string read_record(int descriptor) {
  std::array<char, kRecordSize> text{};
  const ssize_t size = ::pread(descriptor, text.data(), text.size(), 0);
  return size > 0 ? std::string{text.data(), static_cast<std::size_t>(size)} : std::string{};
}

std::string pid_in(std::string_view record) {
  const std::size_t begin = std::min(record.find_first_of("0123456789"), record.size());
  const std::size_t end = record.find_first_not_of("0123456789", begin);
  return std::string{record.substr(begin, end == record.npos ? end : end - begin)};
}

// The owner writes its pid just after it takes the lock; a reader that comes in between retries.
std::string read_pid(int descriptor) {
  for (int i = 0; i < kReadsMax; ++i) {
    if (std::string pid = pid_in(read_record(descriptor)); !pid.empty()) return pid;
    std::this_thread::yield();
  }
  return "unknown";
}

// False if there was no space. The lock still holds; only the pid of its owner is missing.
bool write_record(int descriptor, const std::string& pid, bool marked) {
  std::string record = fmt::format("{}{}", pid, marked ? kMark : "");
  record.resize(kRecordSize - 1, ' ');
  record += '\n';
  return ::pwrite(descriptor, record.data(), record.size(), 0) ==
         static_cast<ssize_t>(record.size());
}

// Tries again, because a process that calls lock_owner() holds the lock for a moment.
bool take_lock(int descriptor) {
  constexpr int kTriesMax = 100;
  for (int i = 0; i < kTriesMax; ++i) {
    if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) return true;
    std::this_thread::yield();
  }
  return false;
}

}  // namespace

FolderLock::FolderLock(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / "haul.lock";
  descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (descriptor_ < 0)
    throw StoreFault{
        StoreFault::Kind::refused,
        fmt::format("cannot open {}: {}", path.string(), std::generic_category().message(errno))};
  if (!take_lock(descriptor_)) {
    const std::string pid = read_pid(descriptor_);
    ::close(descriptor_);
    throw StoreFault{StoreFault::Kind::refused,
                     fmt::format("{} is in use by another haul (pid {})", folder.string(), pid)};
  }
  const std::string before = read_record(descriptor_);
  was_abandoned_ = !pid_in(before).empty();
  is_marked_ = before.find(kMark) != std::string::npos;
  write_record(descriptor_, std::to_string(::getpid()), is_marked_);
}

FolderLock::~FolderLock() {
  write_record(descriptor_, "", is_marked_);
  ::close(descriptor_);
}

void FolderLock::write_mark(bool marked) {
  is_marked_ = marked;
  write_record(descriptor_, std::to_string(::getpid()), is_marked_);
}

// A pid in the file proves nothing: it stays when its owner is killed, and goes to another process.
std::optional<std::int64_t> lock_owner(const std::filesystem::path& folder) {
  const int descriptor = ::open((folder / "haul.lock").c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (descriptor < 0) return std::nullopt;
  std::optional<std::int64_t> owner;
  if (::flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    const std::string pid = read_pid(descriptor);
    std::from_chars(pid.data(), pid.data() + pid.size(), owner.emplace(0));
  }
  ::close(descriptor);
  return owner;
}

bool is_network_file_system(const std::filesystem::path& folder) {
  struct statfs about{};
  if (::statfs(folder.c_str(), &about) != 0) return false;
  return std::ranges::find(kNetworkTypes, static_cast<std::int64_t>(about.f_type)) !=
         kNetworkTypes.end();
}

}  // namespace haul::sqlite

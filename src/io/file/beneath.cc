#include "io/file/beneath.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/text.h"

namespace haul::io {
namespace {

constexpr mode_t kNewFolder = 0777;  // Less the umask.
constexpr int kFolderFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW;
// A file may be a pipe, which would keep open() waiting for a writer.
constexpr int kFileFlags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | O_NOFOLLOW;

std::int64_t nanoseconds(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

EntrySeen seen_from(const struct stat& about) {
  using enum EntrySeen::Is;
  return {.is = S_ISREG(about.st_mode) ? file : (S_ISDIR(about.st_mode) ? folder : other),
          .device = static_cast<std::int64_t>(about.st_dev),
          .inode = static_cast<std::int64_t>(about.st_ino),
          .size = about.st_size,
          .mtime_ns = nanoseconds(about.st_mtim),
          .ctime_ns = nanoseconds(about.st_ctim),
          .on_disk = std::int64_t{about.st_blocks} * 512};
}

EntrySeen seen_of_fd(int fd) {
  struct stat about{};
  return ::fstat(fd, &about) == 0 ? seen_from(about) : EntrySeen{};
}

std::unexpected<Fault> rejected(const char* code, std::string detail) {
  return std::unexpected{Fault{FaultKind::rejected, code, std::move(detail)}};
}

std::unexpected<Fault> way_fault(int error, std::string_view path) {
  const std::string shown = printable(path);
  switch (error) {
    case ENOENT:
      return std::unexpected{Fault{FaultKind::permanent, "not_found", shown + " does not exist"}};
    case ELOOP:
      return rejected("link_on_the_way", shown + " leads through a symbolic link");
    case EXDEV:
      return rejected("other_file_system",
                      shown + " lies on a file system that is mounted below its root");
    case ENOTDIR:
      return rejected("not_a_folder", shown + " leads through something that is no folder");
    default:
      return std::unexpected{file_fault(error, shown)};
  }
}

// Which mount an open folder lies on, so that a bind mount of the same file system is told apart.
// The device, if the kernel does not say.
std::uint64_t mount_of(int fd) {
  struct statx about{};
  if (::statx(fd, "", AT_EMPTY_PATH, STATX_MNT_ID, &about) == 0 &&
      (about.stx_mask & STATX_MNT_ID) != 0)
    return about.stx_mnt_id;
  struct stat seen{};
  return ::fstat(fd, &seen) == 0 ? seen.st_dev : 0;
}

bool is_link(int folder, const std::string& name) {
  struct stat about{};
  return ::fstatat(folder, name.c_str(), &about, AT_SYMLINK_NOFOLLOW) == 0 &&
         S_ISLNK(about.st_mode);
}

// One component. Empty, with errno, if it cannot be opened. O_NOFOLLOW with O_DIRECTORY says
// ENOTDIR of a link, so that is told apart here.
Descriptor open_step(int folder, const std::string& name, int flags) {
  Descriptor fd{::openat(folder, name.c_str(), flags)};
  if (fd) return fd;
  const int error = errno;
  errno = error == ENOTDIR && is_link(folder, name) ? ELOOP : error;
  return {};
}

Descriptor open_steps(int root, const std::vector<std::string>& names, int flags, Mounts mounts) {
  const std::uint64_t mount = mounts == Mounts::stay ? mount_of(root) : 0;
  Descriptor at;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool is_last = i + 1 == names.size();
    at = open_step(at ? at.get() : root, names[i], is_last ? flags : kFolderFlags);
    if (!at) return {};
    if (mounts == Mounts::stay && mount_of(at.get()) != mount) {
      errno = EXDEV;
      return {};
    }
  }
  return at;
}

Descriptor open_by_kernel(int root, const std::string& path, int flags, Mounts mounts) {
  open_how how{};
  // RESOLVE_NO_SYMLINKS tells a link at the end apart, O_NOFOLLOW with O_DIRECTORY does not.
  how.flags = static_cast<std::uint64_t>(flags & ~O_NOFOLLOW);
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  if (mounts == Mounts::stay) how.resolve |= RESOLVE_NO_XDEV;
  const long fd = ::syscall(SYS_openat2, root, path.c_str(), &how, sizeof how);
  return Descriptor{static_cast<int>(fd)};
}

Result<Descriptor> open_beneath_root(const Descriptor& root, std::string_view path, int flags,
                                     Mounts mounts, WalkBy walk) {
  const auto names = components_of(path);
  if (!names) return rejected("bad_path", printable(path) + " is no path below a folder");
  Descriptor fd;
  errno = ENOSYS;
  if (walk == WalkBy::kernel) fd = open_by_kernel(root.get(), std::string{path}, flags, mounts);
  // A sandbox may forbid openat2.
  if (!fd && (errno == ENOSYS || errno == EPERM))
    fd = open_steps(root.get(), *names, flags, mounts);
  if (!fd) return way_fault(errno, path);
  return fd;
}

}  // namespace

EntrySeen seen_of(const Descriptor& open) { return seen_of_fd(open.get()); }
EntrySeen seen_of(const File& open) { return seen_of_fd(open.descriptor()); }

Result<EntrySeen> look_in(const Descriptor& folder, const std::string& name) {
  struct stat about{};
  if (::fstatat(folder.get(), name.c_str(), &about, AT_SYMLINK_NOFOLLOW) == 0)
    return seen_from(about);
  return way_fault(errno == ENOTDIR ? ENOENT : errno, name);
}

std::optional<EntrySeen> seen_in(const Descriptor& folder, const std::string& name) {
  const auto seen = look_in(folder, name);
  return seen ? std::optional{*seen} : std::nullopt;
}

bool is_same_file(const EntrySeen& one, const EntrySeen& other) {
  return one.device == other.device && one.inode == other.inode;
}

std::optional<std::vector<std::string>> components_of(std::string_view path) {
  if (path.empty() || path.find('\0') != std::string_view::npos) return std::nullopt;
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view name = path.substr(begin, end - begin);
    if (name.empty() || name == "." || name == "..") return std::nullopt;
    names.emplace_back(name);
    begin = end + 1;
  }
  return names;
}

SplitPath split_path(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return {.folder = {}, .name = std::string{path}};
  return {.folder = std::string{path.substr(0, slash)},
          .name = std::string{path.substr(slash + 1)}};
}

Result<Descriptor> open_root(const std::filesystem::path& path) {
  if (path.native().find('\0') != std::string::npos)
    return rejected("bad_path", "a folder's path has a NUL byte");
  const int fd = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return std::unexpected{file_fault(errno, path.string())};
  return Descriptor{fd};
}

Result<Descriptor> open_folder_beneath(const Descriptor& root, std::string_view path, Mounts mounts,
                                       WalkBy walk) {
  if (!path.empty()) return open_beneath_root(root, path, kFolderFlags, mounts, walk);
  const int fd = ::openat(root.get(), ".", kFolderFlags);
  if (fd < 0) return way_fault(errno, "the root");
  return Descriptor{fd};
}

Result<File> open_file_beneath(const Descriptor& root, std::string_view path, Mounts mounts,
                               WalkBy walk) {
  auto fd = open_beneath_root(root, path, kFileFlags, mounts, walk);
  if (!fd) return std::unexpected{fd.error()};
  if (seen_of(*fd).is != EntrySeen::Is::file)
    return rejected("not_a_file", printable(path) + " is not a regular file");
  return File{*std::move(fd)};
}

Result<Descriptor> make_folder_beneath(const Descriptor& root, std::string_view path,
                                       Mounts mounts) {
  const auto names = components_of(path);
  if (!names) return rejected("bad_path", printable(path) + " is no path below a folder");
  auto at = open_folder_beneath(root, {}, mounts);
  for (auto name = names->begin(); name != names->end() && at; ++name) {
    const bool is_made = ::mkdirat(at->get(), name->c_str(), kNewFolder) == 0;
    if (!is_made && errno != EEXIST) return way_fault(errno, path);
    if (is_made)
      if (auto flushed = flush_names(*at); !flushed) return std::unexpected{flushed.error()};
    at = open_folder_beneath(*at, *name, mounts);
  }
  return at;
}

}  // namespace haul::io

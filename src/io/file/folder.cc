#include "io/file/folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <system_error>
#include <utility>

#include "base/ensure.h"
#include "base/time.h"

namespace haul::io {
namespace {

constexpr mode_t kNewFile = 0666;  // Less the umask.
constexpr mode_t kNewFolder = 0777;
constexpr mode_t kPrivateFolder = 0700;

std::unexpected<Fault> fault(int error, const std::string& what) {
  return std::unexpected{file_fault(error, what)};
}

// Opens beneath the folder and through no link. Where openat2 is missing or forbidden, O_NOFOLLOW
// alone has to do.
int open_beneath(int folder, const std::string& name, int flags, mode_t mode) {
  open_how how{};
  how.flags = static_cast<std::uint64_t>(flags | O_CLOEXEC | O_NOFOLLOW);
  how.mode = (flags & O_CREAT) != 0 ? mode : 0;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS;
  const long fd = ::syscall(SYS_openat2, folder, name.c_str(), &how, sizeof how);
  if (fd >= 0 || (errno != ENOSYS && errno != EPERM)) return static_cast<int>(fd);
  return ::openat(folder, name.c_str(), flags | O_CLOEXEC | O_NOFOLLOW, mode);
}

std::unexpected<Fault> bad_folder(std::string detail) {
  return std::unexpected{Fault{FaultKind::rejected, "bad_folder", std::move(detail)}};
}

// True if haul can reach its own descriptors by a path.
bool has_proc() {
  static const bool has = ::access("/proc/self/fd", X_OK) == 0;
  return has;
}

bool has_nul(const std::string& text) { return text.find('\0') != std::string::npos; }

bool is_component(const std::string& name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos &&
         !has_nul(name);
}

// The folders that get a new name if `path` is created with everything that is missing above it.
std::vector<std::filesystem::path> above_missing(std::filesystem::path path) {
  std::vector<std::filesystem::path> above;
  std::error_code error;
  while (!path.empty() && !std::filesystem::exists(path, error)) {
    path = path.parent_path();
    above.push_back(path.empty() ? "." : path);
  }
  return above;
}

int open_folder(const std::filesystem::path& path) {
  return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

bool flush_folder(int folder) {
  return ::fsync(folder) == 0 || errno == EINVAL || errno == EOPNOTSUPP;
}

// Creates the folder and flushes its name, so that a power cut cannot take it with all of its
// files. One journal has the folder before everything in it. A folder above that cannot be opened
// cannot be flushed either.
Result<void> create_folder(const std::filesystem::path& path) {
  const std::vector<std::filesystem::path> above = above_missing(path);
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) return fault(error.value(), path.string());
  for (const std::filesystem::path& each : above) {
    const Descriptor fd{open_folder(each)};
    if (!fd || journal_of(fd.get()) == Journal::one) continue;
    if (!flush_folder(fd.get())) return fault(errno, each.string());
  }
  return {};
}

std::string time_text(const timespec& at) {
  const std::string seconds = to_iso(from_unix_ms(static_cast<std::int64_t>(at.tv_sec) * 1'000));
  return fmt::format("{}.{:09}Z", seconds.substr(0, seconds.rfind('.')), at.tv_nsec);
}

FileSeen seen_in(const struct stat& seen) {
  return {{seen.st_ino, seen.st_size}, time_text(seen.st_mtim)};
}

}  // namespace

Fault file_fault(int error, const std::string& what) {
  const std::string detail = fmt::format("{}: {}", what, std::generic_category().message(error));
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return {FaultKind::environment, "disk_full", detail};
    case EROFS:
      return {FaultKind::environment, "read_only_disk", detail};
    case ENOENT:
    case ENOTDIR:
    case ESTALE:
      return {FaultKind::environment, "folder_gone", detail};
    case EACCES:
    case EPERM:
      return {FaultKind::environment, "no_permission", detail};
    case EIO:
      return {FaultKind::environment, "disk_error", detail};
    case EMFILE:
    case ENFILE:
    case ENOMEM:
      return {FaultKind::environment, "too_many_files", detail};
    case EEXIST:
      return {FaultKind::permanent, "name_taken", detail};
    case EFBIG:
      return {FaultKind::permanent, "file_too_large", detail};
    default:
      return {FaultKind::permanent, "file_error", detail};
  }
}

std::string boot_id() {
  std::ifstream file{"/proc/sys/kernel/random/boot_id"};
  std::string id;
  std::getline(file, id);
  return id;
}

Descriptor::~Descriptor() {
  if (fd_ >= 0) ::close(fd_);
}
Descriptor::Descriptor(Descriptor&& other) noexcept : fd_{std::exchange(other.fd_, -1)} {}
Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (fd_ >= 0) ::close(fd_);
  fd_ = std::exchange(other.fd_, -1);
  return *this;
}

Result<void> File::write_at(std::span<const std::byte> bytes, std::int64_t offset) {
  ensure(fd_ && offset >= 0, "a file is open before it is written");
  while (!bytes.empty()) {
    const ssize_t wrote = ::pwrite(fd_.get(), bytes.data(), bytes.size(), offset);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return fault(errno, "cannot write");
    bytes = bytes.subspan(static_cast<std::size_t>(wrote));
    offset += wrote;
  }
  return {};
}

Result<std::size_t> File::read_at(std::span<std::byte> bytes, std::int64_t offset) const {
  ensure(fd_ && offset >= 0, "a file is open before it is read");
  ssize_t got = 0;
  do got = ::pread(fd_.get(), bytes.data(), bytes.size(), offset);
  while (got < 0 && errno == EINTR);
  if (got < 0) return fault(errno, "cannot read");
  return static_cast<std::size_t>(got);
}

void File::set_time(Time time) const {
  const auto ms = to_unix_ms(time);
  const timespec modified{.tv_sec = ms / 1'000, .tv_nsec = ms % 1'000 * 1'000'000};
  const timespec times[] = {{.tv_sec = 0, .tv_nsec = UTIME_OMIT}, modified};
  if (::futimens(fd_.get(), times) != 0) return;  // The content counts, not its time.
}

void File::begin_flush(FileSpan span) const {
  ::sync_file_range(fd_.get(), span.at, span.size, SYNC_FILE_RANGE_WRITE);
}

Result<void> File::flush() const {
  if (::fdatasync(fd_.get()) != 0) return fault(errno, "cannot flush");
  return {};
}

Result<void> File::flush_with_names() const {
  if (::fsync(fd_.get()) != 0) return fault(errno, "cannot flush");
  return {};
}

Result<void> File::write_out(FileSpan span) const {
  constexpr unsigned kAll =
      SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER;
  if (::sync_file_range(fd_.get(), span.at, span.size, kAll) == 0) return {};
  if (errno == ENOSYS || errno == EINVAL) return flush();
  return fault(errno, "cannot flush");
}

FileSeen File::seen() const {
  struct stat seen{};
  if (::fstat(fd_.get(), &seen) != 0) return {};
  return seen_in(seen);
}

FileMark File::mark() const {
  struct stat seen{};
  if (::fstat(fd_.get(), &seen) != 0) return {};
  return {seen.st_ino, seen.st_size};
}

Result<void> flush_names(const Descriptor& folder) {
  if (!flush_folder(folder.get())) return fault(errno, "cannot flush");
  return {};
}

std::optional<FolderId> folder_id(const std::filesystem::path& path) {
  struct stat seen{};
  if (::stat(path.c_str(), &seen) != 0 || !S_ISDIR(seen.st_mode)) return std::nullopt;
  return FolderId{seen.st_dev, seen.st_ino};
}

Folder::Folder(std::filesystem::path path, Descriptor fd, Barred barred)
    : path_{std::move(path)},
      fd_{std::move(fd)},
      barred_{std::move(barred)},
      journal_{journal_of(fd_.get())} {
  ensure(static_cast<bool>(fd_), "a folder is open");
}

// Checks the open folder, so that no rename can come between check and use.
Result<Folder> Folder::checked(Folder folder) {
  if (!folder.barred_) return folder;
  struct stat seen{};
  if (::fstat(folder.fd_.get(), &seen) != 0) return fault(errno, folder.path_.string());
  for (const FolderId& barred : *folder.barred_)
    if (barred == FolderId{seen.st_dev, seen.st_ino})
      return bad_folder(
          fmt::format("{} is haul's data folder: no file can be put there, choose another folder",
                      folder.path_.string()));
  return folder;
}

Result<Folder> Folder::open(const std::filesystem::path& path, Missing missing, Barred barred) {
  if (has_nul(path.native())) return bad_folder("a folder's path has a NUL byte");
  if (missing == Missing::create)
    if (auto created = create_folder(path); !created) return std::unexpected{created.error()};
  const int fd = open_folder(path);
  if (fd < 0) return fault(errno, path.string());
  return checked(Folder{path, Descriptor{fd}, std::move(barred)});
}

std::filesystem::path Folder::held_path() const {
  return has_proc() ? std::filesystem::path{fmt::format("/proc/self/fd/{}", fd_.get())} : path_;
}

std::string Folder::path_of(std::string_view name) const {
  std::string path = path_.native();
  if (!path.ends_with('/')) path += '/';
  return path.append(name);
}

Result<Folder> Folder::open_inside(const std::string& name, Missing missing) const {
  if (!is_component(name)) return bad_folder("a folder's name is empty, has a '/' or a NUL byte");
  const bool is_new =
      missing == Missing::create && ::mkdirat(fd_.get(), name.c_str(), kNewFolder) == 0;
  if (missing == Missing::create && !is_new && errno != EEXIST) return fault(errno, name);
  const int fd = open_beneath(fd_.get(), name, O_RDONLY | O_DIRECTORY, 0);
  if (fd >= 0) {
    Folder inside{path_ / name, Descriptor{fd}, barred_};
    inside.above_ = above_;
    Descriptor above{is_new ? ::fcntl(fd_.get(), F_DUPFD_CLOEXEC, 0) : -1};
    if (is_new && !above) return fault(errno, name);
    if (is_new) inside.above_.push_back(std::make_shared<Above>(std::move(above)));
    return checked(std::move(inside));
  }
  const int error = errno;
  struct stat seen{};
  if (::fstatat(fd_.get(), name.c_str(), &seen, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(seen.st_mode))
    return bad_folder(fmt::format(
        "{} is a symbolic link, and haul follows no links below its download folder; mount the "
        "other folder there, or set transfer.folder to it",
        path_of(name)));
  if (error == ENOTDIR) return bad_folder(fmt::format("{} is a file", path_of(name)));
  return fault(error, name);
}

Result<Folder> Folder::make_private(const std::string& name) const {
  if (!is_component(name)) return fault(EINVAL, name);
  if (::mkdirat(fd_.get(), name.c_str(), kPrivateFolder) != 0) return fault(errno, path_of(name));
  return open_inside(name, Missing::fault);
}

Result<File> Folder::create(const std::string& name) const {
  if (!is_component(name)) return fault(EINVAL, name);
  const int fd = open_beneath(fd_.get(), name, O_RDWR | O_CREAT | O_EXCL, kNewFile);
  if (fd < 0) return fault(errno, name);
  return File{Descriptor{fd}};
}

Result<File> Folder::create_unnamed() const {
  const bool can_be_named = has_proc();
  const int fd =
      can_be_named ? ::openat(fd_.get(), ".", O_TMPFILE | O_RDWR | O_CLOEXEC, kNewFile) : -1;
  if (fd < 0) return fault(can_be_named ? errno : ENOTSUP, "a file without a name");
  return File{Descriptor{fd}};
}

Result<void> Folder::name(const File& file, const std::string& name) const {
  if (!is_component(name)) return fault(EINVAL, name);
  if (::linkat(file.descriptor(), "", fd_.get(), name.c_str(), AT_EMPTY_PATH) == 0) return {};
  if (errno != ENOENT) return fault(errno, name);
  // Older kernels let only root use AT_EMPTY_PATH. The path through /proc works for every user.
  const std::string itself = "/proc/self/fd/" + std::to_string(file.descriptor());
  if (::linkat(AT_FDCWD, itself.c_str(), fd_.get(), name.c_str(), AT_SYMLINK_FOLLOW) != 0)
    return fault(errno, name);
  return {};
}

Result<File> Folder::open_file(const std::string& name) const {
  if (!is_component(name)) return fault(EINVAL, name);
  const int fd = open_beneath(fd_.get(), name, O_RDWR, 0);
  if (fd < 0) return fault(errno, name);
  return File{Descriptor{fd}};
}

std::vector<std::string> Folder::names(std::string_view ending) const {
  std::vector<std::string> found;
  // Needs a descriptor of its own: readdir() moves its position and closedir() closes it.
  const int fd = ::openat(fd_.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* list = fd < 0 ? nullptr : ::fdopendir(fd);
  if (list == nullptr) {
    if (fd >= 0) ::close(fd);
    return found;
  }
  while (const dirent* entry = ::readdir(list))  // NOLINT(concurrency-mt-unsafe)
    if (std::string_view{entry->d_name}.ends_with(ending)) found.emplace_back(entry->d_name);
  ::closedir(list);
  return found;
}

std::optional<FileMark> Folder::find(const std::string& name) const {
  struct stat seen{};
  if (!is_component(name) || ::fstatat(fd_.get(), name.c_str(), &seen, AT_SYMLINK_NOFOLLOW) != 0)
    return std::nullopt;
  return FileMark{seen.st_ino, seen.st_size};
}

std::optional<FileSeen> Folder::look(const std::string& name) const {
  struct stat seen{};
  if (!is_component(name) || ::fstatat(fd_.get(), name.c_str(), &seen, AT_SYMLINK_NOFOLLOW) != 0 ||
      !S_ISREG(seen.st_mode))
    return std::nullopt;
  return seen_in(seen);
}

Result<void> Folder::rename(const std::string& from, const std::string& to) const {
  return take(*this, from, to);
}

Result<void> Folder::take(const Folder& from, const std::string& name,
                          const std::string& as) const {
  if (!is_component(name) || !is_component(as)) return fault(EINVAL, as);
  if (::renameat2(from.fd_.get(), name.c_str(), fd_.get(), as.c_str(), RENAME_NOREPLACE) == 0)
    return {};
  if (errno != EINVAL) return fault(errno, as);
  // The file system lacks RENAME_NOREPLACE: add the new name first, then remove the old one.
  if (::linkat(from.fd_.get(), name.c_str(), fd_.get(), as.c_str(), 0) != 0)
    return fault(errno, as);
  ::unlinkat(from.fd_.get(), name.c_str(), 0);
  return {};
}

Result<void> Folder::replace(const Folder& from, const std::string& name,
                             const std::string& as) const {
  if (!is_component(name) || !is_component(as)) return fault(EINVAL, as);
  // A device, a pipe or a link has the name for a reason.
  struct stat there{};
  if (::fstatat(fd_.get(), as.c_str(), &there, AT_SYMLINK_NOFOLLOW) == 0 && !S_ISREG(there.st_mode))
    return std::unexpected{
        Fault{FaultKind::permanent, "not_a_file", as + " is no plain file, so it stays"}};
  if (::renameat(from.fd_.get(), name.c_str(), fd_.get(), as.c_str()) != 0) return fault(errno, as);
  return {};
}

void Folder::remove(const std::string& name) const {
  if (is_component(name)) ::unlinkat(fd_.get(), name.c_str(), 0);
}

Result<void> Folder::flush() const {
  if (!flush_folder(fd_.get())) return fault(errno, path_.string());
  if (journal_ == Journal::one) return {};  // It has the new folders before the names in them.
  for (const auto& above : above_) {
    if (above->is_flushed) continue;
    if (!flush_folder(above->fd.get())) return fault(errno, path_.string());
    above->is_flushed = true;
  }
  return {};
}

std::size_t Folder::unflushed_above() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(above_, [](const auto& each) { return !each->is_flushed; }));
}

std::int64_t Folder::free_bytes() const {
  struct statvfs seen{};
  if (::fstatvfs(fd_.get(), &seen) != 0) return 0;
  return static_cast<std::int64_t>(seen.f_bavail) * static_cast<std::int64_t>(seen.f_frsize);
}

std::int64_t Folder::all_bytes() const {
  struct statvfs seen{};
  if (::fstatvfs(fd_.get(), &seen) != 0) return 0;
  return static_cast<std::int64_t>(seen.f_blocks) * static_cast<std::int64_t>(seen.f_frsize);
}

}  // namespace haul::io

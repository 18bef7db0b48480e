#include "io/file/entries.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <memory>
#include <span>
#include <utility>

#include "base/ensure.h"
#include "base/text.h"
#include "io/file/beneath.h"

namespace haul::io {
namespace {

constexpr mode_t kOwnFile = 0600;

std::unexpected<Fault> entry_fault(int error, const EntryName& entry) {
  if (error == ENOENT)
    return std::unexpected{
        Fault{FaultKind::permanent, "not_found", printable(entry.name) + " does not exist"}};
  if (error == EXDEV)
    return std::unexpected{
        Fault{FaultKind::rejected, "other_file_system",
              printable(entry.name) + " would have to go to another file system"}};
  return std::unexpected{file_fault(error, printable(entry.name))};
}

void ensure_component(const std::string& name) {
  ensure(!name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos,
         "the name of an entry is one component");
}

int rename_new(const EntryName& from, const EntryName& to) {
  ensure_component(from.name);
  ensure_component(to.name);
  return ::renameat2(from.folder.get(), from.name.c_str(), to.folder.get(), to.name.c_str(),
                     RENAME_NOREPLACE);
}

// Two names of one regular file. One name, reached in two ways, is not two.
bool are_two_names(const EntryName& one, const EntryName& other) {
  if (one.name == other.name && is_same_file(seen_of(one.folder), seen_of(other.folder)))
    return false;
  const auto first = seen_in(one.folder, one.name);
  const auto second = seen_in(other.folder, other.name);
  return first && second && first->is == EntrySeen::Is::file && is_same_file(*first, *second);
}

// Zero, or the errno.
int add_name(const EntryName& from, const EntryName& to) {
  const bool is_added =
      ::linkat(from.folder.get(), from.name.c_str(), to.folder.get(), to.name.c_str(), 0) == 0;
  return is_added ? 0 : errno;
}

bool means_no_links(int error) { return error == EPERM || error == EOPNOTSUPP || error == ENOSYS; }

// Between the look and the move another program can take the name.
Result<void> rename_to_free(const EntryName& from, const EntryName& to) {
  const auto there = look_in(to.folder, to.name);
  if (there) return entry_fault(EEXIST, to);
  if (there.error().code != "not_found") return std::unexpected{there.error()};
  if (::renameat(from.folder.get(), from.name.c_str(), to.folder.get(), to.name.c_str()) == 0)
    return {};
  return entry_fault(errno, from);
}

std::string part_of(const std::string& name) { return name + ".part"; }

}  // namespace

Result<void> move_entry(const EntryName& from, const EntryName& to, MoveBy by) {
  int error = EINVAL;
  if (by == MoveBy::kernel) error = rename_new(from, to) == 0 ? 0 : errno;
  if (error == 0) return {};
  if (error == EINVAL) {
    // The file system lacks RENAME_NOREPLACE: add the new name first, then remove the old one.
    error = by == MoveBy::rename ? EPERM : add_name(from, to);
    if (error == 0) return remove_file(from);
    if (means_no_links(error)) return rename_to_free(from, to);
  }
  if (error == EEXIST && are_two_names(from, to)) return remove_file(from);
  return entry_fault(error, error == ENOENT ? from : to);
}

Result<void> take_entry(const EntryName& from, const EntryName& to) {
  if (rename_new(from, to) == 0) return {};
  if (errno != EINVAL) return entry_fault(errno, errno == ENOENT ? from : to);
  return rename_to_free(from, to);  // The file system lacks RENAME_NOREPLACE.
}

Result<void> remove_file(const EntryName& entry) {
  ensure_component(entry.name);
  if (::unlinkat(entry.folder.get(), entry.name.c_str(), 0) != 0) return entry_fault(errno, entry);
  return {};
}

bool remove_empty_folder(const EntryName& entry) {
  ensure_component(entry.name);
  return ::unlinkat(entry.folder.get(), entry.name.c_str(), AT_REMOVEDIR) == 0;
}

std::vector<std::string> names_in(const Descriptor& folder, std::size_t names_max) {
  struct Close {
    void operator()(DIR* list) const { ::closedir(list); }
  };
  std::vector<std::string> names;
  // Needs a descriptor of its own: readdir() moves its position and closedir() closes it.
  const int fd = ::openat(folder.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const std::unique_ptr<DIR, Close> list{fd < 0 ? nullptr : ::fdopendir(fd)};
  if (!list) {
    if (fd >= 0) ::close(fd);
    return names;
  }
  while (const dirent* entry = ::readdir(list.get())) {  // NOLINT(concurrency-mt-unsafe)
    const std::string_view name{entry->d_name};
    if (name == "." || name == "..") continue;
    if (names.size() == names_max) break;
    names.emplace_back(name);
  }
  return names;
}

// A file system without locks has one user at a time.
std::optional<NamesLock> NamesLock::try_take(const Descriptor& folder) {
  Descriptor own{::openat(folder.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  int locked = 0;
  do locked = own ? ::flock(own.get(), LOCK_EX | LOCK_NB) : 0;
  while (locked != 0 && errno == EINTR);
  if (locked != 0 && errno == EWOULDBLOCK) return std::nullopt;
  return NamesLock{std::move(own)};
}

Result<void> write_own_file(const EntryName& entry, std::string_view text) {
  ensure_component(entry.name);
  const std::string part = part_of(entry.name);
  constexpr int kFlags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC;
  File file{Descriptor{::openat(entry.folder.get(), part.c_str(), kFlags, kOwnFile)}};
  if (!file) return entry_fault(errno, entry);
  if (auto wrote = file.write_at(std::as_bytes(std::span{text}), 0); !wrote) return wrote;
  if (auto flushed = file.flush(); !flushed) return flushed;
  if (::renameat(entry.folder.get(), part.c_str(), entry.folder.get(), entry.name.c_str()) != 0)
    return entry_fault(errno, entry);
  return flush_names(entry.folder);
}

Result<void> remove_own_file(const EntryName& entry) {
  ensure_component(entry.name);
  ::unlinkat(entry.folder.get(), part_of(entry.name).c_str(), 0);
  auto removed = remove_file(entry);
  if (!removed && removed.error().code == "not_found") return {};
  return removed;
}

Result<std::string> read_own_file(const EntryName& entry, std::size_t bytes_max) {
  constexpr int kFlags = O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC;
  const File file{Descriptor{::openat(entry.folder.get(), entry.name.c_str(), kFlags)}};
  if (!file) return entry_fault(errno, entry);
  const std::int64_t size = file.mark().size;
  if (size < 0 || std::cmp_greater(size, bytes_max)) return entry_fault(EFBIG, entry);
  std::string text(static_cast<std::size_t>(size), '\0');
  const auto got = file.read_at(std::as_writable_bytes(std::span{text}), 0);
  if (!got) return std::unexpected{got.error()};
  text.resize(*got);
  return text;
}

}  // namespace haul::io

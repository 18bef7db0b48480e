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

namespace haul::io {
namespace {

constexpr mode_t kOwnFile = 0600;

std::unexpected<Fault> entry_fault(int error, const EntryName& entry) {
  if (error == ENOENT)
    return std::unexpected{
        Fault{FaultKind::permanent, "not_found", printable(entry.name) + " does not exist"}};
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

}  // namespace

Result<void> move_entry(const EntryName& from, const EntryName& to) {
  if (rename_new(from, to) == 0) return {};
  if (errno != EINVAL) return entry_fault(errno, errno == ENOENT ? from : to);
  // The file system lacks RENAME_NOREPLACE: add the new name first, then remove the old one.
  if (::linkat(from.folder.get(), from.name.c_str(), to.folder.get(), to.name.c_str(), 0) != 0)
    return entry_fault(errno, to);
  return remove_file(from);
}

Result<void> take_entry(const EntryName& from, const EntryName& to) {
  if (rename_new(from, to) == 0) return {};
  if (errno != EINVAL) return entry_fault(errno, errno == ENOENT ? from : to);
  if (::renameat(from.folder.get(), from.name.c_str(), to.folder.get(), to.name.c_str()) == 0)
    return {};
  return entry_fault(errno, from);
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

Result<void> flush_names(const Descriptor& folder) {
  if (::fsync(folder.get()) != 0) return std::unexpected{file_fault(errno, "cannot flush")};
  return {};
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
NamesLock::NamesLock(const Descriptor& folder)
    : own_{::openat(folder.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)} {
  while (own_ && ::flock(own_.get(), LOCK_EX) != 0 && errno == EINTR) continue;
}

NamesLock::~NamesLock() {
  if (own_) ::flock(own_.get(), LOCK_UN);
}

Result<void> write_own_file(const EntryName& entry, std::string_view text) {
  ensure_component(entry.name);
  const std::string part = entry.name + ".part";
  constexpr int kFlags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC;
  File file{Descriptor{::openat(entry.folder.get(), part.c_str(), kFlags, kOwnFile)}};
  if (!file) return entry_fault(errno, entry);
  if (auto wrote = file.write_at(std::as_bytes(std::span{text}), 0); !wrote) return wrote;
  if (auto flushed = file.flush(); !flushed) return flushed;
  if (::renameat(entry.folder.get(), part.c_str(), entry.folder.get(), entry.name.c_str()) != 0)
    return entry_fault(errno, entry);
  return flush_names(entry.folder);
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

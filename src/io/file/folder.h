#pragma once
// An open folder and the files in it. Every name is one component, opened beneath the folder and
// never through a link, even if the folder's path changes meanwhile.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fault.h"
#include "base/time.h"
#include "io/file/journal.h"

namespace haul::io {

// The fault for an errno. Most disk errors are faults of the environment, not of the job.
Fault file_fault(int error, const std::string& what);

// Identifies the current boot of the machine. Empty if the system does not say.
std::string boot_id();

// Owns a file descriptor and closes it.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_{fd} {}
  ~Descriptor();
  Descriptor(Descriptor&& other) noexcept;
  Descriptor& operator=(Descriptor&& other) noexcept;
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

// Flushes the names in a folder. A file system that has no such flush, as some in user space or on
// the network, needs none.
[[nodiscard]] Result<void> flush_names(const Descriptor& folder);

// Identifies a file under any name.
struct FileMark {
  std::uint64_t inode = 0;
  std::int64_t size = 0;

  bool operator==(const FileMark&) const = default;
};

// A file as it is now. The same again means that no program has written it meanwhile.
struct FileSeen {
  FileMark mark;
  std::string mtime;  // "2026-11-17T15:58:38.123456789Z"

  bool operator==(const FileSeen&) const = default;
};

// A part of a file.
struct FileSpan {
  std::int64_t at = 0;
  std::int64_t size = 0;  // Zero: to the end.
};

class File {
 public:
  File() = default;
  explicit File(Descriptor fd) : fd_{std::move(fd)} {}

  [[nodiscard]] Result<void> write_at(std::span<const std::byte> bytes, std::int64_t offset);
  [[nodiscard]] Result<std::size_t> read_at(std::span<std::byte> bytes, std::int64_t offset) const;
  // Sets the time of the last change. Best effort: some file systems keep no such time.
  void set_time(Time time) const;
  // Starts writing to the disk what flush() will wait for soon.
  void begin_flush(FileSpan span = {}) const;
  [[nodiscard]] Result<void> flush() const;
  // Also flushes the other metadata, such as how many names the file has.
  [[nodiscard]] Result<void> flush_with_names() const;
  // Hands all bytes to the disk and waits, but flushes neither the disk's own cache nor the
  // metadata that locates the bytes. Half a flush, for use where another flush does the rest.
  [[nodiscard]] Result<void> write_out(FileSpan span = {}) const;
  FileMark mark() const;
  FileSeen seen() const;
  int descriptor() const { return fd_.get(); }
  explicit operator bool() const { return static_cast<bool>(fd_); }

 private:
  Descriptor fd_;
};

// Two paths with the same id lead to the same folder, also through a link or a bind mount.
struct FolderId {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;

  bool operator==(const FolderId&) const = default;
};
// Empty if the path does not lead to a folder.
std::optional<FolderId> folder_id(const std::filesystem::path& path);

// Folders that are never opened to put files in. Null if there are none.
using Barred = std::shared_ptr<const std::vector<FolderId>>;

class Folder {
 public:
  enum class Missing : std::uint8_t { fault, create };
  // Follows links. Flushes the names of folders that it creates. Fault `bad_folder` if the folder
  // is barred or the path has a NUL byte.
  static Result<Folder> open(const std::filesystem::path& path, Missing missing,
                             Barred barred = {});

  // Opens a folder inside this one, with the same barred folders. Leaves it to flush() to flush the
  // name of a folder that it creates, because an event loop calls this. Fault `bad_folder` if the
  // name is a link, a barred folder, or not a single component.
  Result<Folder> open_inside(const std::string& name, Missing missing) const;

  // Makes a folder inside this one that only haul's user may enter. Fault `name_taken` if it
  // exists.
  Result<Folder> make_private(const std::string& name) const;

  const std::filesystem::path& path() const { return path_; }
  const Descriptor& descriptor() const { return fd_; }
  // A path to the open folder itself, wherever path() leads by now. Valid in this process and as
  // long as this object lives. Without /proc it is path().
  std::filesystem::path held_path() const;
  // For messages only: haul opens nothing by this path.
  std::string path_of(std::string_view name) const;
  // Creates a file. Fault `name_taken` if the name exists.
  Result<File> create(const std::string& name) const;
  // Creates a file without a name. It vanishes unless name() gives it one. Fault if the file system
  // cannot do that, or there is no /proc.
  Result<File> create_unnamed() const;
  // Names an unnamed file. Never replaces: fault `name_taken` if the name exists.
  [[nodiscard]] Result<void> name(const File& file, const std::string& name) const;
  Result<File> open_file(const std::string& name) const;
  // All names with this ending. Empty if the folder cannot be read.
  std::vector<std::string> names(std::string_view ending) const;
  std::optional<FileMark> find(const std::string& name) const;
  // Nothing if there is no such file, or it is a link, a folder or the like.
  std::optional<FileSeen> look(const std::string& name) const;
  // Never replaces: fault `name_taken` if the new name exists.
  [[nodiscard]] Result<void> rename(const std::string& from, const std::string& to) const;
  // The same for a file in another folder of the same file system.
  [[nodiscard]] Result<void> take(const Folder& from, const std::string& name,
                                  const std::string& as) const;
  // The same, but replaces a file that has the new name, at once.
  [[nodiscard]] Result<void> replace(const Folder& from, const std::string& name,
                                     const std::string& as) const;
  void remove(const std::string& name) const;
  // Flushes the names in this folder. If open_inside() created it, also flushes its own name and
  // those of the new folders above it, once.
  [[nodiscard]] Result<void> flush() const;
  // How many folders above this one have a new name that is not flushed.
  std::size_t unflushed_above() const;
  Journal journal() const { return journal_; }
  // What an ordinary user may still write here.
  std::int64_t free_bytes() const;
  // The size of the file system.
  std::int64_t all_bytes() const;

 private:
  // A folder in which haul has just made the next one.
  struct Above {
    explicit Above(Descriptor opened) : fd{std::move(opened)} {}

    const Descriptor fd;
    std::atomic<bool> is_flushed = false;  // Threads share it.
  };

  Folder(std::filesystem::path path, Descriptor fd, Barred barred);
  static Result<Folder> checked(Folder folder);

  std::filesystem::path path_;
  Descriptor fd_;
  Barred barred_;
  Journal journal_;
  std::vector<std::shared_ptr<Above>> above_;  // Empty if open_inside() did not create it.
};

}  // namespace haul::io

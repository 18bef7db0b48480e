#pragma once
// A folder held open, and files in it: every name is one component, opened beneath the folder and
// through no link, whatever happens to the path meanwhile.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"
#include "io/journal.h"

namespace haul {

// What an errno means to us: most of what disks do is our surroundings', not the job's.
Fault file_fault(int error, const std::string& what);

// Names the time since the machine was started; empty if the system does not say.
std::string boot_id();

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

// By this a file is known again under any name.
struct FileMark {
  std::uint64_t inode = 0;
  std::int64_t size = 0;

  bool operator==(const FileMark&) const = default;
};

class File {
 public:
  File() = default;
  explicit File(Descriptor fd) : fd_{std::move(fd)} {}

  [[nodiscard]] Result<void> write_at(std::span<const std::byte> bytes, std::int64_t offset);
  [[nodiscard]] Result<std::size_t> read_at(std::span<std::byte> bytes, std::int64_t offset) const;
  [[nodiscard]] Result<void> truncate(std::int64_t size);
  // Lets the disk begin with what will be flushed soon.
  void begin_flush() const;
  [[nodiscard]] Result<void> flush() const;
  // With what else is known of it, such as how many names it has.
  [[nodiscard]] Result<void> flush_with_names() const;
  // Hands all bytes to the disk and waits for it, but flushes neither what the disk itself keeps
  // back nor where they lie: half a flush, for where another flush is the other half.
  [[nodiscard]] Result<void> write_out() const;
  FileMark mark() const;
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
// Nothing if the path leads to no folder.
std::optional<FolderId> folder_id(const std::filesystem::path& path);

// Folders that are never opened to put files in; null: there are none.
using Barred = std::shared_ptr<const std::vector<FolderId>>;

class Folder {
 public:
  enum class Missing : std::uint8_t { fault, create };
  // Follows links. `bad_folder` if the folder is barred or the path has a NUL byte.
  static Result<Folder> open(const std::filesystem::path& path, Missing missing,
                             Barred barred = {});

  // A folder inside this one, with the same barred folders. `bad_folder` if the name is a link, a
  // barred folder, or no single component.
  Result<Folder> open_inside(const std::string& name, Missing missing) const;

  // A new folder inside this one that only haul's user may enter; `name_taken` if there is one.
  Result<Folder> make_private(const std::string& name) const;

  const std::filesystem::path& path() const { return path_; }
  // A path into the open folder itself, whatever its name leads to by now. Valid in this process
  // and as long as this object lives.
  std::filesystem::path held_path() const;
  // For people to read: nothing is opened by it.
  std::string path_of(std::string_view name) const;
  // A new file: `name_taken` if there is one already.
  Result<File> create(const std::string& name) const;
  // One that has no name yet, and is gone if it gets none; a fault where that cannot be.
  Result<File> create_unnamed() const;
  // Never replaces: `name_taken` if there is such a file.
  [[nodiscard]] Result<void> name(const File& file, const std::string& name) const;
  Result<File> open_file(const std::string& name) const;
  // Of all that end like this; none if the folder cannot be read.
  std::vector<std::string> names(std::string_view ending) const;
  std::optional<FileMark> find(const std::string& name) const;
  // Never replaces: `name_taken` if there is such a file.
  [[nodiscard]] Result<void> rename(const std::string& from, const std::string& to) const;
  // The same out of another folder of the same file system.
  [[nodiscard]] Result<void> take(const Folder& from, const std::string& name,
                                  const std::string& as) const;
  void remove(const std::string& name) const;
  [[nodiscard]] Result<void> flush() const;
  Journal journal() const { return journal_; }
  // What a user may still write here.
  std::int64_t free_bytes() const;
  // What the file system could hold if it were empty.
  std::int64_t all_bytes() const;

 private:
  Folder(std::filesystem::path path, Descriptor fd, Barred barred);
  static Result<Folder> checked(Folder folder);

  std::filesystem::path path_;
  Descriptor fd_;
  Barred barred_;
  Journal journal_;
};

}  // namespace haul

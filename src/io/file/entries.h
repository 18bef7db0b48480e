#pragma once
// The names in an open folder: moves, removes and lists them. Every name is one component, and no
// link is followed.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"
#include "io/file/folder.h"

namespace haul::io {

// An entry's place.
struct EntryName {
  const Descriptor& folder;
  const std::string& name;
};

// Moves an entry on one file system and never replaces another: fault `name_taken` if the new name
// exists, `not_found` (permanent) if the old one does not.
[[nodiscard]] Result<void> move_entry(const EntryName& from, const EntryName& to);
// The same, to a name that only haul uses. Takes whatever has the old name at that moment, also
// where the file system cannot refuse to replace.
[[nodiscard]] Result<void> take_entry(const EntryName& from, const EntryName& to);

// Removes the name of a file, or of a link. Never a folder.
[[nodiscard]] Result<void> remove_file(const EntryName& entry);
// False if the folder is not empty, or cannot be removed.
bool remove_empty_folder(const EntryName& entry);

// Flushes the names in a folder.
[[nodiscard]] Result<void> flush_names(const Descriptor& folder);

// At most so many names, without "." and "..".
std::vector<std::string> names_in(const Descriptor& folder, std::size_t names_max);

// Keeps others out of a folder that haul shares with no other program, for short changes: another
// lock of the same folder waits, also one of another process.
class NamesLock {
 public:
  explicit NamesLock(const Descriptor& folder);
  ~NamesLock();
  NamesLock(const NamesLock&) = delete;
  NamesLock& operator=(const NamesLock&) = delete;

 private:
  const Descriptor own_;  // A lock belongs to an open of the folder.
};

// Writes a small file of haul's own, flushed, in place of the old one: after a crash it is the old
// or the new.
[[nodiscard]] Result<void> write_own_file(const EntryName& entry, std::string_view text);
// Fault `not_found` if there is none, `file_too_large` (permanent) if it has more bytes.
Result<std::string> read_own_file(const EntryName& entry, std::size_t bytes_max);

}  // namespace haul::io

#pragma once
// The names in an open folder: moves, removes and lists them. Every name is one component, and no
// link is followed.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fault.h"
#include "io/file/folder.h"

namespace haul::io {

// An entry's place.
struct EntryName {
  const Descriptor& folder;
  const std::string& name;
};

// How a name is moved. Tests choose; haul takes `link` where the file system cannot refuse to
// replace, and `rename` where it has no links either.
enum class MoveBy : std::uint8_t { kernel, link, rename };

// Moves an entry on one file system and never replaces another: fault `name_taken` if the new name
// exists, `not_found` (permanent) if the old one does not, `other_file_system` (rejected) if they
// lie on two. If both names are the same file, as a crash can leave them where the file system
// lacks the move, only the old name goes. The old name is haul's own.
[[nodiscard]] Result<void> move_entry(const EntryName& from, const EntryName& to,
                                      MoveBy by = MoveBy::kernel);
// The same, to a name that only haul uses. Takes whatever has the old name at that moment, also
// where the file system cannot refuse to replace.
[[nodiscard]] Result<void> take_entry(const EntryName& from, const EntryName& to);

// Removes the name of a file, or of a link. Never a folder.
[[nodiscard]] Result<void> remove_file(const EntryName& entry);
// False if the folder is not empty, or cannot be removed.
bool remove_empty_folder(const EntryName& entry);

// At most so many names, without "." and "..".
std::vector<std::string> names_in(const Descriptor& folder, std::size_t names_max);

// Keeps other locks of a folder out, also those of another process, as long as it lives.
class NamesLock {
 public:
  // No value if the folder is locked. A file system without locks refuses none.
  static std::optional<NamesLock> try_take(const Descriptor& folder);

 private:
  explicit NamesLock(Descriptor own) : own_{std::move(own)} {}

  Descriptor own_;  // A lock belongs to an open of the folder, and ends with it.
};

// Writes a small file of haul's own, flushed, in place of the old one: after a crash it is the old
// or the new.
[[nodiscard]] Result<void> write_own_file(const EntryName& entry, std::string_view text);
// Removes such a file, with what a crash left of it.
[[nodiscard]] Result<void> remove_own_file(const EntryName& entry);
// Fault `not_found` if there is none, `file_too_large` (permanent) if it has more bytes.
Result<std::string> read_own_file(const EntryName& entry, std::size_t bytes_max);

}  // namespace haul::io

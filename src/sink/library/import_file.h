#pragma once
// Imports one file: recognises it if it is in the library already, or else puts it there by a link
// or a copy, and never replaces another file. All that an import remembers is on the disk, so after
// a crash at any point it begins anew and ends the same.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "io/file/copy.h"
#include "io/file/part_name.h"
#include "io/file/room.h"
#include "seam/source_file.h"
#include "sink/library/evidence.h"
#include "sink/library/known_hashes.h"
#include "sink/library/library_folder.h"

namespace haul::library {

// How a file comes into the library.
enum class ImportBy : std::uint8_t {
  reflink,   // The file system shares the bytes until one file is changed.
  hardlink,  // One more name of the same file.
  copy,
};
std::string_view name_of(ImportBy by);
std::optional<ImportBy> read_import_by(std::string_view name);

// What all imports of a sink share.
struct ImportEnv {
  // In the order in which they are tried. The next one is tried if the file system refuses one.
  std::span<const ImportBy> methods;
  io::DiskSpace& space;
  const Clock& clock;
  KnownHashes& hashes;
};

struct FileToImport {
  SourceFile source;
  const LibraryFolder& folder;  // Where it goes.
  std::string name;             // One safe component.
  io::PartOwner owner;          // The item tells the files of a job apart.
};

// Puts the file there. Its name is not flushed: LibraryFolders::flush() does that for all files.
// Faults:
//   `source_missing` (permanent), `source_changed` (retryable): the source is gone, or not what was
//     listed; `root_not_mounted` (environment) if its disk seems to be away.
//   `destination_taken` (environment): another file has the name. The detail says what to do.
//   `cannot_link` (environment): the file system refuses every method of the configuration.
//   `disk_full` (environment), and others of the disk.
Result<LandedFile> import_file(const ImportEnv& env, const FileToImport& file,
                               const io::CopyWatch& watch);

}  // namespace haul::library

#pragma once
// The library of films and series as a sink: imports files under their names, tells a media server,
// proves that the files arrived, and removes their sources (document 001).

#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "io/file/room.h"
#include "seam/media_server.h"
#include "seam/sink.h"
#include "sink/library/clean_file.h"
#include "sink/library/import_parcel.h"

namespace haul::library {

struct LibrarySettings {
  std::string store;  // Id of haul's store. Parts and the trash have it in their names.
  LibraryRoots roots{};
  // Folder of haul's data that records which roots haul has marked (root_mark.h). Empty: none.
  std::filesystem::path root_records{};
  // The next one is tried if the file system refuses one. At least one.
  std::vector<ImportBy> methods{ImportBy::reflink, ImportBy::hardlink, ImportBy::copy};
  ImportTemplates templates = default_templates();
  // Sources elsewhere are kept, whatever the manifest says.
  std::vector<std::filesystem::path> download_roots{};
  CleanBy clean_by = CleanBy::deleting;  // Trashing if trash_days is more than zero.
  std::size_t threads = 2;               // How many jobs use the disk at a time.
  std::size_t tasks_max = 1'000;         // Beyond that, haul is told to ask again.
};

// Everything that waits for the disk runs on threads of the sink. Without a media server (null) it
// proves a file by reading it again. All others outlive the sink.
std::unique_ptr<Sink> make_library(LibrarySettings settings, io::DiskSpace& space,
                                   const Clock& clock, MediaServer* server);

}  // namespace haul::library

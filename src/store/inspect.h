#pragma once
// A look at a data folder from outside: changes nothing, keeps no lock, works beside a daemon.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"

namespace haul {

struct StoreLook {
  bool exists = false;
  bool on_network = false;              // On a network file system SQLite can lose data.
  std::optional<std::int64_t> in_use;   // Pid of the process that uses it.
  std::string problem;                  // Empty if none was found.
  std::optional<Time> newest_event_at;  // Nothing if there are no events.
};

// Checks the whole file if no process uses it, which takes about a second per gigabyte. Of a file
// in use it reads only the schema version and the newest event.
StoreLook inspect_sqlite(const std::filesystem::path& folder);

// A file of a book that the store lists as available.
struct ShelvedFile {
  std::string title;
  std::string media_type;
  std::string path;
};
struct ShelfLook {
  std::vector<ShelvedFile> files;  // The newest 10,000.
  std::int64_t missing = 0;        // Assets of books whose file haul found missing.
};
// Empty if there is no store or haul cannot read it.
ShelfLook inspect_shelves(const std::filesystem::path& folder);

}  // namespace haul

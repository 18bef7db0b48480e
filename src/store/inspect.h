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
  bool on_network = false;              // Where SQLite can lose data.
  std::optional<std::int64_t> in_use;   // By this process.
  std::string problem;                  // Empty: none was found.
  std::optional<Time> newest_event_at;  // None: nothing has happened yet.
};

// Reads all of a file that nobody uses, which takes a second a gigabyte or so; of one in use only
// the end.
StoreLook inspect_sqlite(const std::filesystem::path& folder);

// A file that is on a shelf, by what the store says.
struct ShelvedFile {
  std::string title;
  std::string media_type;
  std::string path;
};
struct ShelfLook {
  std::vector<ShelvedFile> files;  // Available; those that came last, at most 10,000.
  std::int64_t missing = 0;        // Assets of books that were found gone.
};
// Nothing where there is no store, or none that can be read.
ShelfLook inspect_shelves(const std::filesystem::path& folder);

}  // namespace haul

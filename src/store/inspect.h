#pragma once
// A look at a data folder from outside: changes nothing, takes no lock, works beside a daemon.

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
  std::vector<std::string> book_files;  // Of the first ten thousand available ones.
};

// Reads all of a file that nobody uses, which takes a second a gigabyte or so; of one in use only
// the end.
StoreLook inspect_sqlite(const std::filesystem::path& folder);

}  // namespace haul

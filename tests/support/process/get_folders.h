#pragma once
// Folders for a real `haul get` process: a destination and its own state, so that tests do not
// share any, and a view of what is in them.

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "support/io/temp_folder.h"
#include "support/store/sql.h"

namespace haul::testing {

class GetFolders {
 public:
  explicit GetFolders(std::string engine = "http");

  const std::filesystem::path& folder() const { return folder_; }
  // The command line: haul get with these arguments, into the folder.
  std::vector<std::string> command(const std::vector<std::string>& asked) const;
  // Writes a URL list for `-i` and returns its path.
  std::string list(const std::vector<std::string>& urls) const;

  // Whether a run has created its store yet.
  bool has_store() const { return !store_file().empty(); }
  Sql store() const { return Sql{store_file()}; }

  // Names in the destination folder: parts, and all other files.
  std::set<std::string> parts() const;
  std::set<std::string> files() const;
  std::string sha256_of(const std::string& name) const;

 private:
  std::filesystem::path store_file() const;

  const std::string engine_;
  TempFolder home_;
  std::filesystem::path folder_;
};

}  // namespace haul::testing

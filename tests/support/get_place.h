#pragma once
// A place for `haul get` as a real process: a folder to fetch into and a state of its own, so that
// no two tests meet, and eyes on both.

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "support/sql.h"
#include "support/temp_folder.h"

namespace haul::testing {

class GetPlace {
 public:
  explicit GetPlace(std::string engine = "http");

  const std::filesystem::path& folder() const { return folder_; }
  // The words of a command: haul get, what is asked for, into the folder.
  std::vector<std::string> command(const std::vector<std::string>& asked) const;
  // Writes a file that `-i` reads, and says its path.
  std::string list(const std::vector<std::string>& urls) const;

  // Whether a run has come as far as to make its store.
  bool has_store() const { return !store_file().empty(); }
  Sql store() const { return Sql{store_file()}; }

  // Names in the folder, those of parts and the others.
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

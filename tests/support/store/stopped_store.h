#pragma once
// A store that was filled and closed, and the sqlite3 shell to run on its file.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "support/io/temp_folder.h"
#include "support/process/process.h"
#include "support/store/bench.h"

namespace haul::testing {

class StoppedStore {
 public:
  // Fills a new store and closes it.
  explicit StoppedStore(const std::function<void(Bench&)>& fill);

  std::filesystem::path file() const { return folder_ / "haul.db"; }
  // Runs the sqlite3 shell with this SQL.
  Finished shell(const std::string& sql) const;
  // What the shell prints for a query that must succeed.
  std::string answer(const std::string& sql) const;

 private:
  TempFolder folder_;
};

std::string read_bytes(const std::filesystem::path& file);

// Checks that the shell fails with an error that contains every word, and that no byte of the file
// changes.
void check_refused(const StoppedStore& store, const std::string& sql,
                   const std::vector<std::string>& words);

// Checks that the shell may do this. Rolls it back, so that the next check finds the same store.
void check_allowed(const StoppedStore& store, const std::string& sql);

}  // namespace haul::testing

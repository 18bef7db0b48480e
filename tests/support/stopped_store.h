#pragma once
// A store that was filled and closed, and the sqlite3 program let loose on its file.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "support/bench.h"
#include "support/process.h"
#include "support/temp_folder.h"

namespace haul::testing {

class StoppedStore {
 public:
  // Fills a new store and closes it.
  explicit StoppedStore(const std::function<void(Bench&)>& fill);

  std::filesystem::path file() const { return folder_ / "haul.db"; }
  // Runs the shell with one text of SQL.
  Finished shell(const std::string& sql) const;
  // What the shell prints for a question that it must be able to answer.
  std::string answer(const std::string& sql) const;

 private:
  TempFolder folder_;
};

std::string read_bytes(const std::filesystem::path& file);

// Checks that the shell ends with an error that holds every word, and that no byte changed.
void check_refused(const StoppedStore& store, const std::string& sql,
                   const std::vector<std::string>& words);

// Checks that the shell may do it. It is rolled back, so that the next one finds the same store.
void check_allowed(const StoppedStore& store, const std::string& sql);

}  // namespace haul::testing

#pragma once
// A store in a file, and a second, read-only connection to that file while the store is open.

#include "support/bench.h"
#include "support/sql.h"
#include "support/temp_folder.h"

namespace haul::testing {

struct OpenStore {
  TempFolder folder;
  Bench b{open_sqlite(folder.path(), {}, Bench::kStart)};
  Sql sql{folder / "haul.db"};

  std::string ask(const std::string& question) { return sql.ask(question); }
};

}  // namespace haul::testing

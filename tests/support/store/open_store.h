#pragma once
// A store in a file, and a second, read-only connection to that file while the store is open.

#include "store/sqlite/sqlite.h"
#include "support/io/temp_folder.h"
#include "support/store/bench.h"
#include "support/store/sql.h"

namespace haul::testing {

struct OpenStore {
  TempFolder folder;
  Bench b{open_sqlite(folder.path(), {}, Bench::kStart)};
  Sql sql{folder / "haul.db"};

  std::string ask(const std::string& question) { return sql.ask(question); }
};

}  // namespace haul::testing

#pragma once
// A file with one table, for tests of how SQLite's files are written and read.

#include <filesystem>
#include <memory>
#include <string>

#include "store/sqlite/database.h"
#include "support/io/temp_folder.h"

namespace haul::testing {

struct TableFile {
  static constexpr const char* kInsert = "INSERT INTO t (n) VALUES (?1)";
  static constexpr const char* kCount = "SELECT count(*) FROM t";
  static constexpr const char* kSum = "SELECT sum(n) FROM t";

  TempFolder folder;
  std::filesystem::path path = folder / "t.db";
  std::filesystem::path log = folder / "t.db-wal";

  std::unique_ptr<sqlite::Connection> open() const {
    auto db = std::make_unique<sqlite::Connection>(path, sqlite::OpenFor::writing);
    sqlite::configure_writer(*db);
    return db;
  }
  std::unique_ptr<sqlite::Connection> make() const {
    auto db = open();
    db->script("CREATE TABLE t (n INTEGER)");
    return db;
  }
};

}  // namespace haul::testing

#pragma once
// A second, read-only connection to a store's file: any query in SQL, its result as text.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "base/time.h"

namespace haul::testing {

class Sql {
 public:
  // With a time, SQLite's 'now' always returns that time.
  explicit Sql(const std::filesystem::path& file, std::optional<Time> now = std::nullopt);
  ~Sql();
  Sql(const Sql&) = delete;
  Sql& operator=(const Sql&) = delete;

  // One line per row, columns separated by '|', NULL spelled out, no newline after the last row.
  std::string ask(const std::string& sql);

 private:
  struct Handle;
  std::unique_ptr<Handle> handle_;
};

}  // namespace haul::testing

#pragma once
// A second, read-only pair of eyes on a store's file: any question in SQL, its answer as text.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "base/time.h"

namespace haul::testing {

class Sql {
 public:
  // With a time, SQLite's own 'now' is that time for ever.
  explicit Sql(const std::filesystem::path& file, std::optional<Time> now = std::nullopt);
  ~Sql();
  Sql(const Sql&) = delete;
  Sql& operator=(const Sql&) = delete;

  // One line a row, columns parted by '|', NULL spelled out; no newline after the last row.
  std::string ask(const std::string& sql);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace haul::testing

#include "store/sqlite/job_numbers.h"

#include <algorithm>
#include <string>

namespace haul::sqlite {
namespace {

constexpr std::int64_t kUnknownJobs = 100'000;

constexpr const char* kHasJobs =
    "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'jobs'";
constexpr const char* kNewest = "SELECT coalesce(max(id), 0) FROM jobs";
constexpr const char* kKeepApart = R"(
INSERT INTO meta (name, value)
VALUES ('newest_job', ?1)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value)";
constexpr const char* kKeptApart =
    "SELECT coalesce(max(CAST(value AS INTEGER)), 0) FROM meta WHERE name = 'newest_job'";

}  // namespace

std::int64_t newest_job(Connection& db) {
  if (db.number(kHasJobs) == 0) return 0;
  return std::max(db.number(kNewest), db.number(kKeptApart));
}

void keep_numbers_apart(Connection& db, std::optional<std::int64_t> replaced) {
  const std::int64_t here = newest_job(db);
  const std::int64_t newest = replaced ? std::max(here, *replaced) : here + kUnknownJobs;
  db.run(kKeepApart, {std::to_string(newest)});
}

}  // namespace haul::sqlite

#include "store/sqlite/reasons.h"

#include <algorithm>
#include <functional>
#include <map>

#include "lifecycle/tables.h"

namespace haul::sqlite {
namespace {

constexpr std::int64_t kReadMax = 100'000;  // Jobs of a lifecycle, the newest.

// Uses index jobs_bad.
constexpr const char* kReasons = R"(
SELECT coalesce(reason, ''), count(*)
  FROM (SELECT reason
          FROM jobs INDEXED BY jobs_bad
         WHERE "end" = 'bad' AND lifecycle = ?1
           AND (?2 = '' OR state = ?2 COLLATE NOCASE)
           AND (?3 = 0 OR owner = ?3)
           AND hidden_at IS NULL
         ORDER BY id DESC
         LIMIT ?4)
 GROUP BY 1
 ORDER BY 2 DESC, 1
 LIMIT ?5)";

}  // namespace

std::vector<ReasonTally> count_reasons(Connection& db, const ReasonFilter& filter) {
  const std::size_t limit = std::clamp<std::size_t>(filter.limit, 1, kListMax);
  std::map<std::string, std::int64_t> counts;
  for (const Lifecycle* table : all_lifecycles()) {
    if (is_item(*table) || (!filter.lifecycle.empty() && filter.lifecycle != table->name)) continue;
    Query rows{db, kReasons, {table->name, filter.state, filter.owner, kReadMax, limit}};
    while (rows.step()) counts[rows.string(0)] += rows.integer(1);
  }
  std::vector<ReasonTally> all;
  all.reserve(counts.size());
  for (const auto& [reason, jobs] : counts) all.push_back({reason, jobs});
  std::ranges::stable_sort(all, std::greater{}, &ReasonTally::jobs);
  if (all.size() > limit) all.resize(limit);
  return all;
}

}  // namespace haul::sqlite

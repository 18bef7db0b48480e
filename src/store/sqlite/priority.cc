#include "store/sqlite/priority.h"

#include "store/rules/priority.h"
#include "store/sqlite/rows.h"

namespace haul::sqlite {
namespace {

constexpr const char* kPriority = R"(SELECT "end" = 'open', priority FROM jobs WHERE id = ?1)";

constexpr const char* kSet = R"(
UPDATE OR ROLLBACK jobs
   SET priority = ?2
 WHERE id = ?1 AND "end" = 'open')";

std::optional<rules::PriorityFacts> read_facts(Connection& db, JobId id, int wanted) {
  Query row{db, kPriority, {id}};
  if (!row.step()) return std::nullopt;
  return rules::PriorityFacts{
      .is_open = row.flag(0), .now = static_cast<int>(row.integer(1)), .wanted = wanted};
}

}  // namespace

std::expected<void, Refusal> set_job_priority(Connection& db, JobId id, int priority, Time now) {
  const auto facts = read_facts(db, id, priority);
  if (!facts) return std::unexpected{Refusal{RefusalKind::stale, "no_such_job", ""}};
  const auto granted = rules::grant_priority(*facts);
  if (!granted) return std::unexpected{granted.error()};
  if (const auto& change = *granted) {
    db.run(kSet, {id, change->priority});
    write_note(db, id, change->note, change->data, now);
  }
  return {};
}

}  // namespace haul::sqlite

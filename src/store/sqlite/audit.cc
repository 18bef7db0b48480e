#include "store/sqlite/audit.h"

#include "store/sqlite/salt.h"

namespace haul::sqlite {
namespace {

constexpr const char* kAudit = R"(
INSERT INTO audit (at, user_hash, job, action, detail)
VALUES (?1, ?2, ?3, ?4, ?5))";

}  // namespace

void write_audit(Connection& db, const NewAudit& entry, Time now) {
  const std::string hash = user_hash(db, entry.user);
  db.run(kAudit, {now, hash, or_null(entry.job), entry.action, or_null(entry.detail)});
}

}  // namespace haul::sqlite

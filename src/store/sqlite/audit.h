#pragma once
// An entry of the audit log, written in the transaction of what it tells.

#include "store/ledger.h"
#include "store/sqlite/db.h"

namespace haul::sqlite {

void write_audit(Connection& db, const NewAudit& entry, Time now);

}  // namespace haul::sqlite

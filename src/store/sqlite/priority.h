#pragma once
// Changes the priority of an open job.

#include <expected>

#include "store/refusal.h"
#include "store/sqlite/db.h"

namespace haul::sqlite {

std::expected<void, Refusal> set_job_priority(Connection& db, JobId id, int priority, Time now);

}  // namespace haul::sqlite

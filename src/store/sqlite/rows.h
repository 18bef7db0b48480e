#pragma once
// From rows to values, and the rows every write leaves behind.

#include <string_view>

#include "store/events.h"
#include "store/items.h"
#include "store/job.h"
#include "store/sqlite/db.h"

namespace haul::sqlite {

// Reads a job from a query over `SELECT jobs.*`.
Job read_job(const Query& row);

// The same name as a view into its table; throws StoreFault if the file names a stranger.
const Lifecycle& lifecycle_named(std::string_view name);
std::string_view state_named(const Lifecycle& table, std::string_view name);

struct MoveRow {
  JobId job;
  std::int64_t seq = 0;  // After the move.
  std::string_view from;
  std::string_view to;
  On on = On::fail;
  By by = By::worker;
  WorkerId worker;
  std::string_view reason;
  std::string_view data;
};
void write_move(Connection& db, const MoveRow& row, Time now);

// Notes beside the newest move of a job: the next free number under its seq.
void write_note(Connection& db, JobId job, std::string_view type, std::string_view data, Time now);
// The same, about a worker that took it, lost it, gave it back or did something with it.
void write_note(Connection& db, JobId job, std::string_view type, std::string_view data,
                WorkerId worker, Time now);

// True if the lease is still this one.
bool holds(Connection& db, const Hold& hold);

Counts read_counts(Connection& db, JobId job);

}  // namespace haul::sqlite

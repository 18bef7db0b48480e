#pragma once
// Reads rows into values, and writes the rows of events.

#include <optional>
#include <string>
#include <string_view>

#include "store/events.h"
#include "store/items.h"
#include "store/job.h"
#include "store/sqlite/db.h"

namespace haul::sqlite {

// Reads a job from a query over `SELECT jobs.*`.
Job read_job(const Query& row);

// Find a lifecycle or state by its name in the file. Throw StoreFault if this binary has none. The
// returned name points into the lifecycle's table.
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

// Writes a note under the job's current seq, with the next free number.
void write_note(Connection& db, JobId job, std::string_view type, std::string_view data, Time now);
// The same, with the worker that took, lost, released or changed the job.
void write_note(Connection& db, JobId job, std::string_view type, std::string_view data,
                WorkerId worker, Time now);

// True if the worker still holds this lease.
bool holds(Connection& db, const Hold& hold);

Counts read_counts(Connection& db, JobId job);

// The next owner, by number, who has jobs in the lane that a worker could claim once they are due.
std::optional<UserId> next_owner(Connection& db, const std::string& lane, UserId after);

// ",queued,downloading,": the open states of a table, for a statement that looks for ",state,".
std::string open_states(const Lifecycle& table);

// Adds the book if it is new. A known book keeps its title, unless that is only its id. An empty
// title is the id.
void ensure_book(Connection& db, std::string_view id, std::string_view title);

}  // namespace haul::sqlite

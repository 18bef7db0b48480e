#pragma once
// A job as people read it, from the API's JSON: in tables, in lists of facts, in a title.

#include <string>
#include <vector>

#include "cli/json_view.h"
#include "cli/paint.h"
#include "cli/remote.h"
#include "cli/table.h"

namespace haul {

// What a job is about, by what its request names.
std::string title_of(const JsonView& job);

// By how it ended; waiting for somebody is yellow.
Ink ink_of(const JsonView& job);

// "RUNNING", "RUNNING, paused", "queued, stuck".
std::string state_of(const JsonView& job);

// "2026-02-03 04:05:06", from "2026-02-03T04:05:06.789Z".
std::string time_of(const JsonView& view, std::string_view name);

// "12 of 40, 1 failed", or "58% of 1.2 GiB, 3.4 MiB/s", or nothing.
std::string progress_of(const JsonView& job);

// Whole per cent of a size above zero, whatever a server makes of the two.
int percent(std::int64_t have, std::int64_t size);

Table jobs_table(Remote remote);
void add_job(Table& table, const JsonView& job);

// "name   value", a line each, those that have a value; names in one column.
struct Fact {
  std::string_view name;
  std::string value;
  Ink ink = Ink::plain;
};
std::string fact_lines(const std::vector<Fact>& facts, Colour colour);

}  // namespace haul

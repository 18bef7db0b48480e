#pragma once
// A job as text, from the API's JSON: for tables, lists of facts and titles.

#include <string>
#include <vector>

#include "cli/draw/paint.h"
#include "cli/draw/table.h"
#include "cli/remote/json_view.h"
#include "cli/remote/remote.h"

namespace haul::cli {

// What the job is about, taken from its request.
std::string title_of(const JsonView& job);

// The colour of its outcome; a paused or stuck job is yellow.
Ink ink_of(const JsonView& job);

// "RUNNING", "RUNNING, paused", "queued, stuck".
std::string state_of(const JsonView& job);

// "2026-02-03 04:05:06", from "2026-02-03T04:05:06.789Z".
std::string time_of(const JsonView& view, std::string_view name);

// "58% of 1.2 GiB, 3.4 MiB/s", or empty. If there are several items: "12 of 40, 1 failed, 700 MiB
// of 1.2 GiB".
std::string progress_of(const JsonView& job);

// Whole per cent. `size` is above zero; the result stays within 0 and 100 for any `have`.
int percent(std::int64_t have, std::int64_t size);

Table jobs_table(Remote remote);
void add_job(Table& table, const JsonView& job);

// "name   value", one line per fact that has a value, with the values in one column.
struct Fact {
  std::string_view name;
  std::string value;
  Ink ink = Ink::plain;
};
std::string fact_lines(const std::vector<Fact>& facts, Colour colour);

}  // namespace haul::cli

#pragma once
// Jobs as CSV (RFC 4180), for spreadsheets.

#include <string>
#include <string_view>
#include <vector>

#include "api/json/job_json.h"

namespace haul::api {

inline constexpr std::string_view kCsvHead =
    "id,lifecycle,state,end,outcome,owner,created_at,started_at,moved_at,ended_at,attempt,paused,"
    "priority,reason,detail,items,downloaded,skipped,failed,bytes,request,category";

// A head line, then one line per job. Ends every line with CR LF. A cell that a spreadsheet would
// take for a formula begins with an apostrophe.
std::string to_csv(const std::vector<JobView>& jobs);

// One cell, quoted if it must be.
std::string csv_cell(std::string_view text);

}  // namespace haul::api

#pragma once
// What the daemon tells of a job, as the view that progress is drawn from.

#include <map>
#include <string>
#include <vector>

#include "cli/json_view.h"
#include "cli/progress.h"

namespace haul {

// The files at work, as an event of progress has them.
std::vector<FileView> files_of(const JsonView& progress);

// One job with its files; `progress` is the last event of it, or empty.
GetView view_of_job(const JsonView& job, const JsonView& progress);

// A file that ended, out of its note; `sizes` by name, where they were seen.
ItemEnd end_of(const JsonView& note, const std::map<std::string, std::int64_t>& sizes);

// A failed item, out of the list of items.
ItemEnd failure_of_item(const JsonView& item);

// What came of a job that has ended. Failures of its files are for the caller to add.
GetSummary summary_of(const JsonView& job);

std::string base_name(const std::string& path);

}  // namespace haul

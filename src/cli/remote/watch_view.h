#pragma once
// Turns the daemon's JSON about a job into the view that progress is drawn from.

#include <map>
#include <string>
#include <vector>

#include "cli/draw/progress.h"
#include "cli/remote/json_view.h"

namespace haul::cli {

// The files in progress, from a progress event.
std::vector<FileView> files_of(const JsonView& progress);

// One job with its files. `progress` is its last progress event, or empty.
GetView view_of_job(const JsonView& job, const JsonView& progress);

// A file that ended, from its note. `sizes` has the sizes seen so far, by name.
ItemEnd end_of(const JsonView& note, const std::map<std::string, std::int64_t>& sizes);

// A failed item, from the list of items.
ItemEnd failure_of_item(const JsonView& item);

// The summary of a job that has ended. The caller adds the failures of its files.
GetSummary summary_of(const JsonView& job);

std::string base_name(const std::string& path);

}  // namespace haul::cli

#pragma once
// The JSON forms of jobs, items, events and progress.

#include <string>
#include <vector>

#include "api/board.h"
#include "store/store.h"

namespace haul {

// A job and everything that is said about it.
struct JobView {
  Job job;
  std::string request;
  Counts counts;
  std::vector<std::string> allowed;
  std::optional<Time> lease_until;
  bool stuck = false;
  std::optional<JobProgress> progress;
};

std::string to_json(const JobView& view);
std::string to_json(const Item& item, const std::optional<ItemProgress>& progress);
std::string to_json(const Event& event);
std::string to_json(const JobProgress& progress);

// S2-15: what document 002 calls ITEM_PROGRESS.
std::string item_progress_json(JobId job, const ItemProgress& item);
// Z-9: what document 002 calls a DownloadResult.
std::string result_json(const Job& job, const Counts& counts, const std::vector<Item>& failed,
                        const std::vector<Item>& skipped);

// As it may be shown to anybody who may see the job: logins, header values and what a proxy is
// entered with are secrets.
std::string shown_request(const std::string& request);

}  // namespace haul

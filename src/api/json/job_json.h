#pragma once
// The JSON forms of jobs, items, events and progress.

#include <string>
#include <vector>

#include "api/live/live_progress.h"
#include "store/store.h"

namespace haul::api {

// URLs may contain tokens: the owner sees them, others see them redacted.
enum class Viewer : std::uint8_t { owner, other };

// A job and everything that the API says about it.
struct JobView {
  Job job;
  Viewer viewer = Viewer::other;
  std::string request;
  Counts counts;
  std::vector<std::string> allowed;
  std::optional<Time> lease_until;
  bool stuck = false;
  std::optional<Time> begins_at{};  // Its user asked that it begins then, and it has not begun.
  std::optional<JobProgress> progress;
  std::optional<Purge> purge{};  // Only of a single job: lists have no deleted ones.
};

std::string to_json(const JobView& view);
// `end` is that of the item's state.
std::string to_json(const Item& item, End end, const std::optional<ItemProgress>& progress,
                    Viewer viewer = Viewer::other);
std::string to_json(const Event& event);
std::string to_json(const JobProgress& progress);

// S2-15: the ITEM_PROGRESS of document 002.
std::string item_progress_json(JobId job, const ItemProgress& item);
// Z-9: the DownloadResult of document 002.
std::string result_json(const Job& job, const Counts& counts, const std::vector<Item>& failed,
                        const std::vector<Item>& skipped, Viewer viewer = Viewer::other);

// The result of a job without items: its assets, each with the address of its file if the job has
// an address for its result.
std::string asset_result_json(const Job& job, const std::vector<Asset>& assets);

// The request as users see it: what the lifecycle's fields call secret is masked. For everyone but
// the owner, tokens in URLs are redacted too.
std::string shown_request(const Lifecycle& lifecycle, const std::string& request,
                          Viewer viewer = Viewer::other);

}  // namespace haul::api

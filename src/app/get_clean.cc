#include "app/get_clean.h"

#include <fmt/core.h>

#include <filesystem>
#include <string>

#include "app/get_job.h"
#include "flow/user/user.h"
#include "flow/worker/sweep.h"
#include "io/file/folder.h"
#include "io/file/part_name.h"
#include "store/open.h"
#include "store/refusal.h"

namespace haul::app {
namespace {

constexpr int kRoundsMax = 1'000;  // Each ends as many jobs as a list has.

// Splits the parts in the folder into those of this store and those of others.
cli::CleanedFolder find_all(const io::Folder& folder, const std::string& store) {
  cli::CleanedFolder found;
  for (const std::string& name : folder.names(io::kPartEnd)) {
    const auto owner = io::owner_of_part(name);
    const auto mark = folder.find(name);
    if (!owner || !mark) continue;
    (owner->store == store ? found.removed : found.others).push_back({name, mark->size});
  }
  return found;
}

// Ends every unfinished job, so that the removal of ended jobs' parts takes theirs.
void cancel_all(Store& store, Time now) {
  flow::rescue_everyone(store, {}, now);
  for (int round = 0; round < kRoundsMax; ++round) {
    const auto open = store.reader().list({.end = End::open, .limit = kListMax}).jobs;
    if (open.empty()) return;
    for (const Job& job : open) flow::cancel(store, job.version.id, now);
  }
}

}  // namespace

Result<cli::CleanedFolder> clean_get(const cli::CleanCommand& command, const Clock& clock) {
  auto folder = io::Folder::open(command.folder, io::Folder::Missing::fault);
  if (!folder) return std::unexpected{folder.error()};
  const std::filesystem::path data = get_data_folder(command.state, command.folder);
  if (!std::filesystem::exists(data)) return find_all(*folder, {});
  try {
    const auto store = open_store(store_url(data), {}, clock.now());
    cli::CleanedFolder cleaned = find_all(*folder, store->identity().id());
    cancel_all(*store, clock.now());
    remove_ended_parts(*store, command.folder, EndedParts::all);
    std::erase_if(cleaned.removed,
                  [&](const cli::LeftPart& part) { return folder->find(part.name).has_value(); });
    return cleaned;
  } catch (const StoreFault& fault) {
    return std::unexpected{Fault{FaultKind::environment, "cannot_begin", fault.what()}};
  }
}

}  // namespace haul::app

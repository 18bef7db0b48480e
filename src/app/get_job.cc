#include "app/get_job.h"

#include <map>
#include <optional>
#include <vector>

#include "engine/child/leftovers.h"
#include "flow/user/user.h"
#include "io/file/folder.h"
#include "lifecycle/tables.h"

namespace haul::app {

std::expected<JobId, Refusal> find_or_add(Store& store, const std::string& asked, Time now) {
  const std::vector<Job> open = store.reader().list({.end = End::open, .limit = kListMax}).jobs;
  const auto request = open.empty() ? asked : flow::as_kept(kBatch, asked);
  if (!request) return std::unexpected{request.error()};
  std::optional<JobId> ours;
  for (const Job& job : open) {
    const bool same = !ours && store.reader().request(job.version.id) == *request;
    if (same) ours = job.version.id;
    if (same != job.paused) continue;
    const MoveAnswer flagged =
        same ? store.jobs().resume(job.version, now) : store.jobs().pause(job.version, now);
    if (!flagged) return std::unexpected{flagged.error()};
  }
  if (ours) return *ours;
  const auto added = flow::add(store, {.lifecycle = &kBatch, .request = *request}, now);
  if (!added) return std::unexpected{added.error()};
  return added->id;
}

void remove_ended_parts(Store& store, const std::filesystem::path& path) {
  const auto folder = io::Folder::open(path, io::Folder::Missing::fault);
  if (!folder) return;
  std::map<JobId, bool> known;
  child::remove_leftovers(*folder, [&](const io::PartOwner& owner) {
    if (owner.store != store.identity().id()) return false;
    const auto [found, is_new] = known.try_emplace(owner.job);
    if (is_new) {
      const auto job = store.reader().find(owner.job);
      found->second = job && !job->state().is_open();
    }
    return found->second;
  });
}

}  // namespace haul::app

#include "app/get_job.h"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "base/hash.h"
#include "engine/child/leftovers.h"
#include "flow/user/user.h"
#include "io/file/checkpoint.h"
#include "io/file/folder.h"
#include "io/file/part_name.h"
#include "lifecycle/tables.h"

namespace haul::app {

std::filesystem::path get_data_folder(const std::filesystem::path& state,
                                      const std::filesystem::path& folder) {
  const auto of = [&state](const std::string& path) {
    return state / "get" / sha256_hex(path).substr(0, 16);
  };
  std::string plain = folder.string();
  while (plain.size() > 1 && plain.ends_with('/')) plain.pop_back();
  // Earlier versions told the spellings apart. Their stores are still of use.
  const std::filesystem::path slashed = of(plain + "/");
  if (!std::filesystem::exists(of(plain)) && std::filesystem::exists(slashed)) return slashed;
  return of(plain);
}

std::expected<JobId, Refusal> find_or_add(Store& store, const std::string& asked,
                                          SameRequest if_same, Time now) {
  const std::vector<Job> open = store.reader().list({.end = End::open, .limit = kListMax}).jobs;
  const auto request = open.empty() ? asked : flow::as_kept(kBatch, asked);
  if (!request) return std::unexpected{request.error()};
  std::optional<JobId> ours;
  for (const Job& job : open) {
    const bool same = if_same == SameRequest::resume && !ours &&
                      store.reader().request(job.version.id) == *request;
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

namespace {

// Whether the part is the one of an item that failed and left it for a later job.
bool is_left(Store& store, const io::PartOwner& owner) {
  const auto items = store.items().list(owner.job, {}, owner.item - 1, 1);
  if (items.empty() || items.front().n != owner.item) return false;
  const auto state = std::ranges::find(kItem.states, items.front().state, &State::name);
  if (state == kItem.states.end() || state->end != End::bad) return false;
  return io::owner_of_part(io::Checkpoint::from_json(items.front().checkpoint).part) == owner;
}

}  // namespace

void remove_ended_parts(Store& store, const std::filesystem::path& path, EndedParts which) {
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
    return found->second && (which == EndedParts::all || !is_left(store, owner));
  });
}

}  // namespace haul::app

#include "app/get_job.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "base/hash.h"
#include "base/redact.h"
#include "base/url.h"
#include "engine/child/leftovers.h"
#include "engine/get_request.h"
#include "flow/batch/relink.h"
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
  std::filesystem::path slashed = of(plain + "/");
  if (!std::filesystem::exists(of(plain)) && std::filesystem::exists(slashed)) return slashed;
  return of(plain);
}

namespace {

constexpr std::size_t kJobsMax = 100;  // The last ones are searched.
constexpr int kPagesMax = 100;         // Of the items of each.

bool is_unfinished(const Item& item) {
  return item.evidence.empty() && !item.checkpoint.empty() && item.checkpoint != "{}";
}

// The item of one job that has a part of this link.
std::optional<Item> find_left(Store& store, JobId job, const std::string& url) {
  std::int64_t after = 0;
  for (int page = 0; page < kPagesMax; ++page) {
    const auto items = store.items().list(job, {}, after, kListMax);
    for (const Item& item : items)
      if (item.url == url && is_unfinished(item)) return item;
    if (items.size() < kListMax) break;
    after = items.back().n;
  }
  return std::nullopt;
}

std::optional<Item> find_left(Store& store, const std::string& link) {
  const auto url = parse_url(link);
  if (!url) return std::nullopt;
  std::optional<Item> newest;
  for (const Job& job : store.reader().list({.limit = kJobsMax}).jobs)
    if (auto item = find_left(store, job.version.id, url->text);
        item && (!newest || item->updated_at > newest->updated_at))
      newest = std::move(item);
  return newest;
}

std::expected<JobId, Refusal> add_at_new_link(Store& store, NewJob job, const std::string& replaces,
                                              Time now) {
  const auto left = find_left(store, replaces);
  if (!left)
    return std::unexpected{
        Refusal{RefusalKind::forbidden, "nothing_to_continue",
                fmt::format("--replace-url: this folder has no unfinished file of {}; without "
                            "--replace-url the new link is downloaded from its first byte",
                            redacted(replaces))}};
  const auto asked = engine::read_get_request(job.request);
  if (!asked || asked->urls.size() != 1)
    return std::unexpected{Refusal{RefusalKind::guarded, "bad_request", "expected one URL"}};
  job.items = {flow::continued_at(*left, asked->urls.front())};
  job.retry_of = left->job;
  const auto added = store.jobs().add({&job, 1}, now).front();
  if (!added) return std::unexpected{added.error()};
  return added->id;
}

}  // namespace

void end_abandoned(Store& store, Time now) {
  for (const Job& job : store.reader().list({.end = End::open, .limit = kListMax}).jobs)
    if (store.intents().find_open(job.version.id, kCancelIntent))
      flow::cancel(store, job.version.id, now);
}

std::expected<JobId, Refusal> find_or_add(Store& store, const AskedGet& asked, Time now) {
  const std::vector<Job> open = store.reader().list({.end = End::open, .limit = kListMax}).jobs;
  std::optional<JobId> ours;
  for (const Job& job : open) {
    const bool same = asked.if_same == SameRequest::resume && !ours &&
                      store.reader().request(job.version.id) == asked.job.request;
    if (same) ours = job.version.id;
    if (same != job.paused) continue;
    const MoveAnswer flagged =
        same ? store.jobs().resume(job.version, now) : store.jobs().pause(job.version, now);
    if (!flagged) return std::unexpected{flagged.error()};
  }
  if (ours) return *ours;
  if (!asked.replaces.empty()) return add_at_new_link(store, asked.job, asked.replaces, now);
  const auto added = store.jobs().add({&asked.job, 1}, now).front();
  if (!added) return std::unexpected{added.error()};
  return added->id;
}

namespace {

// Whether the part is the one of an item that failed, by itself or with its job, and left it for a
// later job.
bool is_left(Store& store, const io::PartOwner& owner, End job_end) {
  const auto items = store.items().list(owner.job, {}, owner.item - 1, 1);
  if (items.empty() || items.front().n != owner.item) return false;
  const auto state = std::ranges::find(kItem.states, items.front().state, &State::name);
  if (state == kItem.states.end() || state->end == End::good) return false;
  if (state->end != End::bad && job_end != End::bad) return false;
  return io::owner_of_part(io::Checkpoint::from_json(items.front().checkpoint).part) == owner;
}

}  // namespace

void remove_ended_parts(Store& store, const std::filesystem::path& path, EndedParts which) {
  const auto folder = io::Folder::open(path, io::Folder::Missing::fault);
  if (!folder) return;
  std::map<JobId, std::optional<End>> known;
  child::remove_leftovers(*folder, [&](const io::PartOwner& owner) {
    if (owner.store != store.identity().id()) return false;
    const auto [found, is_new] = known.try_emplace(owner.job);
    if (is_new) {
      const auto job = store.reader().find(owner.job);
      if (job && !job->state().is_open()) found->second = job->state().end;
    }
    return found->second && (which == EndedParts::all || !is_left(store, owner, *found->second));
  });
}

}  // namespace haul::app

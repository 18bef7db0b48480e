#include "app/file_purge.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/text.h"
#include "io/file/checkpoint.h"
#include "io/file/entries.h"

namespace haul::app {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kItemsAtOnce = 100;
constexpr std::size_t kLandingsMax = 16;  // Earlier landings that are asked for a file's number.
constexpr Millis kEvery{2'000};
constexpr Millis kBetween{10};

using Is = io::LandedOutcome::Is;

io::LandedOutcome kept(std::string why) { return {Is::kept, std::move(why)}; }

// The folder that the request names. Empty if it names none.
std::string folder_in(const Lifecycle& lifecycle, const std::string& request) {
  const auto fields = read_object(request);
  const JsonField* folder =
      fields ? find_field(*fields, lifecycle.request, FieldUse::folder) : nullptr;
  return folder ? folder->text : std::string{};
}

// "/in/" and "/in" name the same folder.
fs::path without_end(const fs::path& path) {
  const fs::path normal = path.lexically_normal();
  return normal.has_filename() ? normal : normal.parent_path();
}

bool is_below(const fs::path& path, const fs::path& folder) {
  if (folder.empty()) return false;
  const fs::path above = without_end(folder);
  const auto [end, at] = std::mismatch(above.begin(), above.end(), path.begin(), path.end());
  return end == above.end() && at != path.end();
}

void count(Purge& purge, const Item& item, const io::LandedOutcome& outcome) {
  switch (outcome.is) {
    case Is::removed:
      ++purge.removed;
      purge.bytes += std::max<std::int64_t>(item.size.value_or(0), 0);
      return;
    case Is::gone:
      ++purge.gone;
      return;
    case Is::kept:
      ++purge.kept;
      if (purge.reasons.size() < kPurgeReasonsMax)
        purge.reasons.push_back(fmt::format("{}: {}", printable(item.path), outcome.why));
      return;
  }
}

}  // namespace

// One step of one purge.
struct FilePurge::Work {
  Purge purge;                   // As far as it is.
  fs::path own{};                // The job's own folder.
  std::set<fs::path> folders{};  // Those that lost files.
};

FilePurge::FilePurge(Store& store, const Clock& clock, io::Destinations destinations,
                     MayRemove may_remove, Told told)
    : store_{store},
      clock_{clock},
      destinations_{std::move(destinations)},
      may_remove_{std::move(may_remove)},
      told_{std::move(told)} {}

Millis FilePurge::step() {
  if (store_.identity().is_restored()) return kEvery;
  const std::vector<Purge> next = store_.purges().open(after_, 1);
  if (next.empty()) {
    after_ = {};
    return kEvery;
  }
  if (!advance(next.front())) after_ = next.front().job;
  return kBetween;
}

bool FilePurge::advance(const Purge& purge) {
  const auto job = store_.reader().find(purge.job);
  if (!job) return false;
  Work work{
      .purge = purge,
      .own = folder_in(*job->version.lifecycle, store_.reader().request(purge.job).value_or("{}"))};
  work.purge.detail.clear();
  std::vector<Item> items;
  // A job that is shown again is not deleted any more.
  if (job->hidden_at) items = store_.items().list(purge.job, "", purge.after, kItemsAtOnce);
  remove_some(work, items);
  if (const auto tidied = tidy_folders(work); !tidied) {
    work.purge = purge;  // A power cut may bring back what was removed.
    work.purge.detail = tidied.error().detail;
  }
  const bool is_whole = items.empty() || work.purge.after == items.back().n;
  if (is_whole && items.size() < kItemsAtOnce) work.purge.ended_at = clock_.now();
  if (work.purge == purge) return false;
  if (!store_.purges().record(purge, work.purge, clock_.now())) return false;
  if (work.purge.ended_at || work.purge.detail != purge.detail) told_(work.purge);
  return work.purge.detail.empty();
}

void FilePurge::remove_some(Work& work, const std::vector<Item>& items) {
  for (const Item& item : items) {
    if (!item.evidence.empty() && !item.path.empty()) {
      if (!may_remove_()) return;
      const auto outcome = remove(work, item);
      if (!outcome) {
        if (outcome.error().kind != FaultKind::cancelled)
          work.purge.detail = outcome.error().detail;
        return;
      }
      count(work.purge, item, *outcome);
    }
    work.purge.after = item.n;
  }
}

Result<io::LandedOutcome> FilePurge::remove(Work& work, const Item& item) const {
  const fs::path path{item.path};
  if (!is_below(path, destinations_.root)) return kept("it is not in the download folder");
  const auto films = std::ranges::find_if(
      destinations_.also, [&](const fs::path& root) { return is_below(path, root); });
  if (films != destinations_.also.end())
    return kept("it is in a folder of films, whose own jobs remove it");
  const io::Destinations own{.root = destinations_.root, .barred = destinations_.barred};
  const auto root = io::open_destination(own, own.root, io::Folder::Missing::fault);
  if (!root) return std::unexpected{root.error()};
  const auto folder = io::open_destination(own, path.parent_path(), io::Folder::Missing::fault);
  if (!folder && folder.error().code == "folder_gone") return io::LandedOutcome{Is::gone};
  if (!folder && folder.error().kind == FaultKind::rejected) return kept(folder.error().detail);
  if (!folder) return std::unexpected{folder.error()};
  auto outcome = remove_from(*folder, item);
  if (outcome && outcome->is != Is::kept) work.folders.insert(path.parent_path());
  return outcome;
}

Result<io::LandedOutcome> FilePurge::remove_from(const io::Folder& folder, const Item& item) const {
  const io::FileAtLanding landed = landed_of(item);
  return io::remove_landed(folder, fs::path{item.path}.filename().string(), landed,
                           {.aside = fmt::format(".haul-delete-{}-{}-{}", store_.identity().id(),
                                                 item.job.value, item.n),
                            .why_kept = [&] { return why_needed(item, landed.inode); },
                            .may_go_on = may_remove_});
}

Result<std::string> FilePurge::why_needed(const Item& item, std::uint64_t inode) const {
  const FileNeeds needs =
      store_.purges().needs(item.job, {.key = item.key,
                                       .path = item.path,
                                       .inode = static_cast<std::int64_t>(inode),
                                       .size = item.size.value_or(0)});
  if (needs.owner) return fmt::format("job {} has it, too", needs.owner.value);
  if (needs.taker)
    return std::unexpected{Fault{
        FaultKind::environment, "in_use",
        fmt::format("job {} downloads the same address, and may use the file", needs.taker.value)}};
  return std::string{};
}

// An item whose file was here already has no number of it, but the item that landed it has.
io::FileAtLanding FilePurge::landed_of(const Item& item) const {
  io::FileAtLanding landed{
      .receipt = {.path = item.path, .size = item.size.value_or(0), .evidence = item.evidence},
      .inode = io::Checkpoint::from_json(item.checkpoint).inode,
      .landed_at = item.updated_at};
  if (landed.inode != 0) return landed;
  for (const LandedItem& other :
       store_.purges().landings(item.job, {.key = item.key, .path = item.path}, kLandingsMax)) {
    landed.inode = io::Checkpoint::from_json(other.checkpoint).inode;
    landed.landed_at = other.landed_at;
    if (landed.inode != 0) return landed;
  }
  return landed;
}

Result<void> FilePurge::tidy_folders(const Work& work) const {
  const io::Destinations own{.root = destinations_.root, .barred = destinations_.barred};
  const fs::path top = without_end(work.own.empty() ? destinations_.root : work.own);
  for (const fs::path& each : work.folders) {
    if (const auto folder = io::open_destination(own, each, io::Folder::Missing::fault))
      if (auto flushed = folder->flush(); !flushed) return flushed;
    for (fs::path at = each; is_below(at, top); at = at.parent_path()) {
      const auto above = io::open_destination(own, at.parent_path(), io::Folder::Missing::fault);
      if (!above || !io::remove_empty_folder({above->descriptor(), at.filename().string()})) break;
    }
  }
  return {};
}

}  // namespace haul::app

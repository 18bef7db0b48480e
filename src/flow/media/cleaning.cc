#include "flow/media/cleaning.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "base/ensure.h"
#include "base/path_map.h"
#include "base/planted_bug.h"
#include "base/redact.h"
#include "flow/media/judge.h"
#include "flow/media/source_end.h"
#include "store/refusal.h"

namespace haul::flow {
namespace {

constexpr const char* kClean = "clean";

std::vector<SourceEnd> ends_of(const Importing& state) {
  std::vector<SourceEnd> ends;
  ends.reserve(state.files.size());
  for (const ManifestFile& file : state.files) {
    const auto detail = state.details.find(file.entry.id);
    ends.push_back({.path = path_of(file.entry),
                    .outcome = file.outcome.value_or(Removal::kept_unsafe),
                    .detail = detail == state.details.end() ? "" : detail->second});
  }
  return ends;
}

// Planted: what begins like the path of the film's folder, "/in/1" and "/in/12" alike, instead of
// what its own manifest has.
std::vector<SourceFile> sources_by_prefix(Store& store, const std::vector<ManifestFile>& files) {
  std::vector<SourceFile> sources;
  if (files.empty()) return sources;
  std::string prefix = path_of(files.front().entry);
  prefix.resize(prefix.rfind('/'));
  for (const Job& job : store.reader().list({.limit = kListMax}).jobs)
    for (const ManifestFile& file : manifest_of(store, job.version.id))
      if (path_of(file.entry).starts_with(prefix)) sources.push_back(source_of(file.entry));
  return sources;
}

// Why files stay, as it was judged before the library began.
using KeptFiles = std::map<FileId, std::string>;

// Another job may list a file while the library reads the film, or waits for hours. The library
// calls this on its own thread, so it keeps a copy of the lists and returns a fault instead of
// throwing.
WhyKept why_kept_of(Store& store, JobId job, const std::vector<ManifestFile>& files,
                    KeptFiles kept) {
  std::map<std::string, FileId> ids;
  for (const ManifestFile& file : files) ids.emplace(path_of(file.entry), file.entry.id);
  return [&store, job, ids = std::move(ids),
          kept = std::move(kept)](const SourceFile& source) -> Result<std::string> {
    const auto id = ids.find(source.root + "/" + source.path);
    if (id == ids.end()) return "the job does not list this file";
    if (const auto stays = kept.find(id->second); stays != kept.end()) return stays->second;
    try {
      const auto listed = store.manifest().all(job, FileId{id->second.value - 1}, 1);
      if (listed.empty() || listed.front().entry.id != id->second)
        return "the job does not list this file any more";
      return judge_kept(listed.front(), {}).value_or("");
    } catch (const StoreFault& fault) {
      return std::unexpected{Fault{FaultKind::retryable, "store_unavailable", fault.what()}};
    }
  };
}

bool is_of(const CleanedFile& cleaned, const ManifestEntry& entry) {
  if (!cleaned.root.empty()) return cleaned.root == entry.root && cleaned.path == entry.path;
  return cleaned.path == entry.path || cleaned.path == path_of(entry);
}

// The library's file, or the folder that has all of them: the download may be gone by now.
std::string library_path(const std::vector<PlacedFile>& files) {
  if (files.empty()) return {};
  if (files.size() == 1) return files.front().path;
  std::filesystem::path shared = std::filesystem::path{files.front().path}.parent_path();
  for (const PlacedFile& file : files)
    while (shared.has_relative_path() && !is_inside(file.path, shared))
      shared = shared.parent_path();
  return shared.string();
}

const ImportReceipt& receipt_of(const Importing& state) {
  const ImportReceipt* receipt = state.receipt ? &*state.receipt : nullptr;
  ensure(receipt != nullptr, "only what the media server has proven is cleaned");
  return *receipt;
}

}  // namespace

// A file that has its outcome is never given to the library again: a user may have restored it from
// the trash. Its folder is not left behind, because the library removes that before it tells.
void Cleaning::begin(Held& held, const Released& released) {
  Importing& state = importing(held);
  const JobId id = held.job.version.id;
  const ImportReceipt& receipt = receipt_of(state);
  ensure(receipt.job() == id, "a receipt is for the job that it cleans");
  const bool is_first = !desk_.store.intents().newest(id, kClean);
  if (!desk_.begin(held, {.kind = kClean, .data = receipt.to_json()}) &&
      !planted(PlantedBug::clean_without_lease))
    return desk_.drop(id);
  state.files = manifest_of(desk_.store, id);
  Parcel parcel = parcel_of(held);
  parcel.sources.clear();
  KeptFiles kept;
  for (ManifestFile& file : state.files) {
    if (file.outcome) continue;
    const auto why = judge_kept(file, released);
    if (why && is_first) {
      settle(held, file, Removal::kept_unsafe, *why);
      continue;
    }
    if (why) kept.emplace(file.entry.id, *why);
    parcel.sources.push_back(source_of(file.entry));
  }
  parcel.why_kept = why_kept_of(desk_.store, id, state.files, std::move(kept));
  if (planted(PlantedBug::delete_by_prefix))
    parcel.sources = sources_by_prefix(desk_.store, state.files);
  if (parcel.sources.empty()) return end_film(held);
  state.doing = Doing::cleaning;
  library_.clean(parcel, desk_.inbox);
}

void Cleaning::see(Held& held, const CleanedSome& some) {
  Importing& state = importing(held);
  for (const CleanedFile& each : some.files) {
    const auto file = std::ranges::find_if(state.files, [&](const ManifestFile& listed) {
      return !listed.outcome && is_of(each, listed.entry);
    });
    if (file != state.files.end())
      settle(held, *file, removal_named(each.outcome), safe_detail(each.detail));
  }
}

// A library that did not report every file has done with the others what its answer says.
void Cleaning::end(Held& held, const Cleaned& cleaned) {
  Importing& state = importing(held);
  for (ManifestFile& file : state.files)
    if (!file.outcome) settle(held, file, removal_named(cleaned.outcome), {});
  end_film(held);
}

// If the lease is lost, the store refuses this, and the move after it.
void Cleaning::settle(Held& held, ManifestFile& file, Removal outcome, const std::string& detail) {
  file.outcome = outcome;
  if (!detail.empty()) importing(held).details[file.entry.id] = detail;
  (void)desk_.store.manifest().settle(desk_.hold(held.job), file.entry.id, outcome, desk_.now());
}

void Cleaning::end_film(Held& held) {
  Importing& state = importing(held);
  state.doing = Doing::nothing;
  const std::vector<SourceEnd> ends = ends_of(state);
  const std::string reason{name(worst_of(ends))};
  desk_.settle(held, IntentState::done, reason);
  desk_.ask(held.job, {.moves = {{.on = On::verified,
                                  .reason = reason,
                                  .detail = kept_text(ends),
                                  .proof = {Proof::receipt, cleaned_json(receipt_of(state), ends)},
                                  .result = library_path(receipt_of(state).landing().files)}}});
}

}  // namespace haul::flow

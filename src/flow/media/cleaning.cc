#include "flow/media/cleaning.h"

#include <algorithm>

#include "base/ensure.h"
#include "base/planted_bug.h"
#include "base/redact.h"
#include "flow/media/judge.h"
#include "flow/media/source_end.h"

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

const Receipt& receipt_of(const Importing& state) {
  const Receipt* receipt = state.receipt ? &*state.receipt : nullptr;
  ensure(receipt != nullptr, "only what the media server has proven is cleaned");
  return *receipt;
}

}  // namespace

// A file that an earlier worker removed is given to the library again: it is gone already, but its
// folder may be left.
void Cleaning::begin(Held& held, const Released& released) {
  Importing& state = importing(held);
  const JobId id = held.job.version.id;
  const Receipt& receipt = receipt_of(state);
  ensure(receipt.job() == id, "a receipt is for the job that it cleans");
  if (!desk_.begin(held, {.kind = kClean, .data = receipt.to_json()}) &&
      !planted(PlantedBug::clean_without_lease))
    return desk_.drop(id);
  state.files = manifest_of(desk_.store, id);
  Parcel parcel = parcel_of(held);
  parcel.sources.clear();
  for (ManifestFile& file : state.files) {
    if (file.outcome == Removal::kept_unsafe) continue;
    if (const auto why = judge_kept(file, released); why && !file.outcome)
      settle(held, file, Removal::kept_unsafe, *why);
    else
      parcel.sources.push_back(source_of(file.entry));
  }
  if (parcel.sources.empty()) return end_film(held);
  state.doing = Doing::cleaning;
  library_.clean(parcel, desk_.inbox);
}

void Cleaning::see(Held& held, const CleanedSome& some) {
  Importing& state = importing(held);
  for (const CleanedFile& each : some.files) {
    const auto file = std::ranges::find_if(state.files, [&](const ManifestFile& listed) {
      return !listed.outcome &&
             (listed.entry.path == each.path || path_of(listed.entry) == each.path);
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
  desk_.ask(held.job,
            {.moves = {{.on = On::verified,
                        .reason = reason,
                        .detail = kept_text(ends),
                        .proof = {Proof::receipt, cleaned_json(receipt_of(state), ends)}}}});
}

}  // namespace haul::flow

#pragma once
// The rules for an import as pure functions: what a worker does with a film that it holds, what a
// film waits for, and whether haul removes its sources (document 001, Z-4, Z-31).

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>

#include "flow/media/receipt.h"
#include "flow/media/settings.h"
#include "flow/worker/settings.h"
#include "lifecycle/words.h"
#include "store/job.h"
#include "store/manifest.h"

namespace haul::flow {

// What a worker does with a film that it holds.
enum class ImportAct : std::uint8_t {
  none,
  land,   // List the client's files, then tell the library to import them.
  prove,  // Ask the media server for them, or end the job if its source stays.
};

// By the step of the job's state.
ImportAct judge_import(Step step);

// Whether the manifest has the files that the client fetched for this job, so that haul does not
// ask for them again. The files of an earlier life do not count: a retry fetches them anew.
struct ManifestView {
  bool has_files = false;
  int retries = 0;
};
bool is_listed(const ManifestView& view);

// Whether a film whose step failed waits in its state for another program or a user. It then uses
// up no attempt, whatever the kind of the fault.
bool waits_after(const Fault& fault, const Lifecycle& lifecycle);

// Why a user can say nothing about the files of a film any more. No value if it is in time.
// `is_new`: it is not what was said before. Other words for files that have landed would leave two
// imports of them in the library.
std::optional<Refusal> refuse_by_hand(const Job& job, bool is_new);

// Z-1: what a film does whose transfer the client does not list.
enum class OnMissing : std::uint8_t { wait, fail };
OnMissing judge_missing_transfer(Millis missing_for, const Settings& settings);

// How long a film waits until haul asks its client again whether the share rule is met, and what it
// says meanwhile.
struct SeedingWait {
  Millis after{0};
  std::string detail;

  bool operator==(const SeedingWait&) const = default;
};
SeedingWait judge_seeding(const Seeding& seeding, Time now, const MediaSettings& settings);

// A film that landed, when its media server answers.
struct LandedView {
  const Landing& landing;
  bool is_restored = false;  // The store is: see flow/worker/restored.h.
};

// Why haul keeps the source for now.
enum class KeepSource : std::uint8_t {
  not_proven,  // The media server does not list every file that landed.
  restored,    // It does, but a restored store removes nothing.
};

// The receipt that allows haul to remove the source.
std::expected<ImportReceipt, KeepSource> judge_indexed(const LandedView& view, const Indexed& seen);

// Z-4: why a listed file stays although the film is proven. No value if the library may remove it.
std::optional<std::string> judge_kept(const ManifestFile& file, const Released& released);

}  // namespace haul::flow

#include "io/file/landing_state.h"

#include <algorithm>

#include "base/link_refusal.h"

namespace haul::io {
namespace {

using enum LandingState;

constexpr std::string_view kWrongBytes = "checksum_mismatch";
constexpr std::string_view kTooLong = "max_time";  // Nothing is wrong with the bytes so far.

struct LandingStep {
  LandingState from;
  LandingState to;

  bool operator==(const LandingStep&) const = default;
};

// clang-format off
constexpr LandingStep kSteps[] = {
    {filling,  whole},     // The last byte came, or an earlier start had them all.
    {filling,  placing},   // An earlier start put the file in its place. Only the flush is missing.
    {filling,  keeping},   // The transfer failed or was stopped, and its part can be resumed.
    {filling,  ended},     // The same, but its part cannot.
    {whole,    placing},   // The caller has stored the checkpoint.
    {whole,    ended},     // Stopped or failed. The part stays, or it was removed.
    {placing,  whole},     // Another file had the name, and a new one is chosen.
    {placing,  stopping},  // A stop was asked for.
    {placing,  keeping},   // It failed, and the part can be resumed.
    {placing,  ended},     // It is in its place, or failed for good.
    {stopping, ended},
    {keeping,  ended},
};
// clang-format on

}  // namespace

bool may_follow(LandingState from, LandingState to) {
  return std::ranges::find(kSteps, LandingStep{from, to}) != std::end(kSteps);
}

// A file in its place was written out before it got its name. A part was not, so it is whole only
// if the machine has not restarted since. With Durability::off nothing is written out, so a file in
// its place may lack bytes after a power cut.
FoundAs judge_found(const Checkpoint& kept, const FilesSeen& seen) {
  if (kept.target.empty() || !kept.size) return FoundAs::nothing;
  const FileMark wanted{kept.inode, *kept.size};
  if (seen.target == wanted) return FoundAs::in_place;
  const bool is_same_boot = !seen.boot.empty() && kept.boot == seen.boot;
  return is_same_boot && seen.part == wanted ? FoundAs::part : FoundAs::nothing;
}

// A file in its place that is not the wanted one must be forgotten: the stored checkpoint would
// lead every later start to it.
PlaceEnd judge_place(const PlaceSeen& seen) {
  if (seen.fault_code.empty()) return PlaceEnd::done;
  // The check of its bytes was stopped. A later start recognises it by the stored checkpoint.
  if (seen.state == stopping && seen.fault_code == "stopped") return PlaceEnd::stopped;
  if (seen.is_there && seen.fault_code != kWrongBytes) return PlaceEnd::unflushed;
  if (seen.state == stopping) return PlaceEnd::stopped;
  return seen.fault_code == "name_taken" ? PlaceEnd::taken : PlaceEnd::failed;
}

// A disk that failed to flush a whole file may have lost some of its bytes, and its next flush
// would not say so.
StopStep judge_fail(LandingState state, const Fault& fault, const PartSeen& part) {
  const bool may_pass = fault.kind == FaultKind::retryable ||
                        fault.kind == FaultKind::environment || fault.code == kTooLong ||
                        refuses_link(fault);
  const bool is_damaged = fault.code == kWrongBytes || fault.code == "file_changed";
  if (!may_pass || is_damaged || !part.is_named) return StopStep::remove;
  if (state == filling) return part.is_resumable ? StopStep::flush : StopStep::remove;
  if (fault.code == "disk_error" || fault.code == "disk_full") return StopStep::remove;
  return state == placing && part.is_resumable ? StopStep::flush : StopStep::leave;
}

StopStep judge_stop(LandingState state, Leftovers leftovers, const PartSeen& part) {
  switch (state) {
    case placing:
    case stopping:
    case keeping:
    case ended:
      return StopStep::wait;
    case whole:
      return leftovers == Leftovers::keep && part.is_named ? StopStep::leave : StopStep::remove;
    case filling:
      return leftovers == Leftovers::keep && part.is_named && part.is_resumable ? StopStep::flush
                                                                                : StopStep::remove;
  }
  return StopStep::wait;
}

}  // namespace haul::io

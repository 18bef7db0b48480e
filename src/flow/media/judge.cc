#include "flow/media/judge.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace haul::flow {

ImportAct judge_import(Step step) {
  if (step == Step::land) return ImportAct::land;
  return step == Step::verify ? ImportAct::prove : ImportAct::none;
}

bool is_listed(const ManifestView& view) { return view.has_files && view.retries == 0; }

// The table has words for every reason to wait.
bool waits_after(const Fault& fault, const Lifecycle& lifecycle) {
  return std::ranges::find(lifecycle.reasons, fault.code, &ReasonWords::reason) !=
         lifecycle.reasons.end();
}

OnMissing judge_missing_transfer(Millis missing_for, const Settings& settings) {
  return missing_for < settings.missing_grace ? OnMissing::wait : OnMissing::fail;
}

// The share rule may be met earlier than the client's time limit, by its ratio. So haul asks again
// even if much time is left.
SeedingWait judge_seeding(const Seeding& seeding, Time now, const MediaSettings& settings) {
  const Millis most = settings.again.cap;
  SeedingWait wait{.after = most, .detail = seeding.detail};
  if (!seeding.left) return wait;
  const Millis left = std::max(*seeding.left, Millis{0});
  wait.after = std::clamp(left, settings.again.base, most);
  wait.detail +=
      fmt::format("{}until {} at the latest", wait.detail.empty() ? "" : "; ", to_iso(now + left));
  return wait;
}

std::expected<Receipt, KeepSource> judge_indexed(const LandedView& view, const Indexed& seen) {
  auto receipt = verify(view.landing, seen);
  if (!receipt) return std::unexpected{KeepSource::not_proven};
  if (view.is_restored) return std::unexpected{KeepSource::restored};
  return *std::move(receipt);
}

std::optional<std::string> judge_kept(const ManifestFile& file, const Released& released) {
  if (!released.used_by.empty()) return released.used_by;
  if (file.is_wanted_elsewhere) return "another open job lists this file";
  return std::nullopt;
}

}  // namespace haul::flow

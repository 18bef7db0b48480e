#include "flow/media/judge.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace haul::flow {
namespace {

// What a film waits for whose files are in the library, but whose media server was not told.
constexpr std::array<std::string_view, 4> kAfterLanding{
    "server_not_told", "server_unreachable", "server_refused_token", "path_not_in_library"};

}  // namespace

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

std::optional<Refusal> refuse_by_hand(const Job& job, bool is_new) {
  const State& state = job.state();
  const bool has_landed = state.step == Step::verify ||
                          (is_new && state.step == Step::land &&
                           std::ranges::find(kAfterLanding, job.reason) != kAfterLanding.end());
  if (state.is_open() && !has_landed) return std::nullopt;
  if (state.end == End::bad)
    return Refusal{RefusalKind::forbidden, "ended", "the job has failed; retry it first"};
  return Refusal{RefusalKind::forbidden, "already_imported",
                 "its files are in the library; rename them there"};
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

std::expected<ImportReceipt, KeepSource> judge_indexed(const LandedView& view,
                                                       const Indexed& seen) {
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

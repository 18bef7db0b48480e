// Bugs planted on purpose: the simulator must find each. This file and docs/TESTING.md name the
// oracle that finds it.

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/planted_bug.h"
#include "lifecycle/tables.h"
#include "sim/summary.h"

using namespace haul;

namespace {

struct Planted {
  PlantedBug bug;
  const Lifecycle* lifecycle;        // Simulate this one; all of them if null.
  std::vector<std::string> oracles;  // One of these must find it.
};

const std::vector<Planted> kPlanted = {
    {PlantedBug::no_fence, &kMedia, {"fence", "store"}},
    {PlantedBug::no_compare, nullptr, {"store", "fence", "legal_moves", "attempts"}},
    {PlantedBug::event_after_commit, nullptr, {"seq", "events", "legal_moves"}},
    {PlantedBug::rescue_by_memory, nullptr, {"early"}},
    {PlantedBug::completion_by_id, &kMedia, {"proof", "one_copy"}},
    {PlantedBug::refund_twice, &kImage, {"credits"}},
    {PlantedBug::window_key_off, &kImage, {"one_job"}},
    {PlantedBug::grace_by_wall, &kBook, {"early"}},
    {PlantedBug::unreachable_is_missing, &kBook, {"early"}},
    {PlantedBug::full_disk_burns, &kRelay, {"attempts"}},
    {PlantedBug::cancel_in_memory, &kBook, {"cancel"}},
    {PlantedBug::effect_before_intent, &kRelay, {"effects"}},
    {PlantedBug::starving_order, &kBook, {"fairness", "liveness"}},
    {PlantedBug::zombie_items, &kBatch, {"fence"}},
    {PlantedBug::loss_not_counted, &kBatch, {"attempts"}},
    {PlantedBug::release_counts, &kBatch, {"attempts"}},
    {PlantedBug::reject_unresolved, &kImage, {"credits"}},
    {PlantedBug::clean_without_lease, &kMedia, {"effects"}},
    {PlantedBug::hand_over_unwritten, &kBook, {"effects"}},
    {PlantedBug::hand_over_after_cancel, &kBook, {"cancel"}},
    {PlantedBug::starts_together, &kBatch, {"limits"}},
    {PlantedBug::landing_skipped, &kBatch, {"proof"}},
    {PlantedBug::item_untold, &kBatch, {"events"}},
    {PlantedBug::manifest_after_import, &kMedia, {"effects"}},
    {PlantedBug::proof_of_one_file, &kMedia, {"proof", "one_copy"}},
    {PlantedBug::delete_by_prefix, &kMedia, {"effects", "one_copy"}},
    {PlantedBug::claim_of_paused, &kRelay, {"pause"}},
};

constexpr int kSeedsMax = 2000;

bool names(const Planted& planted, const sim::Violation& violation) {
  return std::ranges::find(planted.oracles, violation.oracle) != planted.oracles.end();
}

// The oracle that finds the bug first. Empty if none does. After the random seeds, tries a crash at
// every commit of one life: random seeds find a bug that shows at only one commit by luck.
std::string found_by(const Planted& planted) {
  for (std::uint64_t seed = 1; seed <= kSeedsMax; ++seed)
    for (const sim::Violation& violation :
         sim::run(sim::setup_for(seed, planted.lifecycle)).violations)
      if (names(planted, violation)) return violation.oracle;
  if (planted.lifecycle == nullptr) return {};
  for (const auto& found : sim::crash_everywhere(*planted.lifecycle).found)
    if (names(planted, found.violation)) return found.violation.oracle;
  return {};
}

}  // namespace

TEST_CASE("every planted bug is found, by an oracle that was named beforehand") {
  for (const Planted& planted : kPlanted) {
    switch_on(planted.bug);
    const std::string oracle = found_by(planted);
    switch_on(PlantedBug::none);

    MESSAGE(name(planted.bug) << " is found by " << oracle);
    CHECK_MESSAGE(!oracle.empty(), name(planted.bug) << " was not found");
  }
}

TEST_CASE("without a planted bug the same build finds nothing") {
  const sim::Summary summary =
      sim::simulate(1, 100, [](std::uint64_t seed) { return sim::setup_for(seed, nullptr); });

  CHECK_MESSAGE(summary.found.empty(), to_text(summary));
}

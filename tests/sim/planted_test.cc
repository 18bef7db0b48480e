// Bugs planted on purpose: the simulator must find each. This file and docs/TESTING.md name the
// oracle that finds it.

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/plant.h"
#include "lifecycle/tables.h"
#include "sim/summary.h"

using namespace haul;

namespace {

struct Planted {
  Plant plant;
  const Lifecycle* lifecycle;        // Simulate this one; all of them if null.
  std::vector<std::string> oracles;  // One of these must find it.
};

const std::vector<Planted> kPlanted = {
    {Plant::no_fence, &kMedia, {"fence", "store"}},
    {Plant::no_compare, nullptr, {"store", "fence", "legal_moves", "attempts"}},
    {Plant::event_after_commit, nullptr, {"seq", "events", "legal_moves"}},
    {Plant::rescue_by_memory, nullptr, {"early"}},
    {Plant::completion_by_id, &kMedia, {"proof"}},
    {Plant::refund_twice, &kImage, {"credits"}},
    {Plant::window_key_off, &kImage, {"one_job"}},
    {Plant::grace_by_wall, &kBook, {"early"}},
    {Plant::unreachable_is_missing, &kBook, {"early"}},
    {Plant::full_disk_burns, &kRelay, {"attempts"}},
    {Plant::cancel_in_memory, &kBook, {"cancel"}},
    {Plant::effect_before_intent, &kRelay, {"effects"}},
    {Plant::starving_order, &kBook, {"fairness", "liveness"}},
    {Plant::zombie_items, &kBatch, {"fence"}},
    {Plant::loss_not_counted, &kBatch, {"attempts"}},
    {Plant::release_counts, &kBatch, {"attempts"}},
    {Plant::reject_unresolved, &kImage, {"credits"}},
    {Plant::clean_without_lease, &kMedia, {"effects"}},
    {Plant::hand_over_unwritten, &kBook, {"effects"}},
    {Plant::hand_over_after_cancel, &kBook, {"cancel"}},
    {Plant::starts_together, &kBatch, {"limits"}},
    {Plant::landing_skipped, &kBatch, {"proof"}},
    {Plant::item_untold, &kBatch, {"events"}},
};

constexpr int kSeedsMax = 400;

bool names(const Planted& planted, const sim::Violation& violation) {
  return std::ranges::find(planted.oracles, violation.oracle) != planted.oracles.end();
}

// The oracle that finds the bug first. Empty if none does. After the random seeds, tries a crash at
// every commit of one life: random seeds find a bug that shows at only one commit by luck.
std::string found_by(const Planted& planted) {
  for (std::uint64_t seed = 1; seed <= kSeedsMax; ++seed)
    for (const sim::Violation& violation :
         sim::run(sim::config_for(seed, planted.lifecycle)).violations)
      if (names(planted, violation)) return violation.oracle;
  if (planted.lifecycle == nullptr) return {};
  for (const auto& found : sim::crash_everywhere(*planted.lifecycle).found)
    if (names(planted, found.violation)) return found.violation.oracle;
  return {};
}

}  // namespace

TEST_CASE("every planted bug is found, by an oracle that was named beforehand") {
  for (const Planted& planted : kPlanted) {
    plant(planted.plant);
    const std::string oracle = found_by(planted);
    plant(Plant::none);

    MESSAGE(name(planted.plant) << " is found by " << oracle);
    CHECK_MESSAGE(!oracle.empty(), name(planted.plant) << " was not found");
  }
}

TEST_CASE("without a planted bug the same build finds nothing") {
  const sim::Summary summary =
      sim::simulate(1, 100, [](std::uint64_t seed) { return sim::config_for(seed, nullptr); });

  CHECK_MESSAGE(summary.found.empty(), to_text(summary));
}

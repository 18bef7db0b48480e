#include "store/rules/hide.h"

#include <doctest/doctest.h>

#include "lifecycle/tables.h"

namespace haul::rules {

TEST_CASE("an ended job is hidden once; an open one is refused with what to do") {
  for (const State& state : kBatch.states) {
    const HideFacts facts{.version = {.id = JobId{7}, .lifecycle = &kBatch, .state = state.name}};
    const auto granted = grant_hide(facts);
    CAPTURE(state.name);
    REQUIRE(granted.has_value() != state.is_open());
    if (granted)
      CHECK((*granted)->data == "{\"state\":\"" + std::string{state.name} + "\"}");
    else
      CHECK(granted.error().detail.find("cancel it first") != std::string::npos);
  }
}

TEST_CASE("a job that is hidden already needs no change") {
  const auto granted = grant_hide(
      {.version = {.id = JobId{7}, .lifecycle = &kBatch, .state = "COMPLETED"}, .is_hidden = true});
  REQUIRE(granted);
  CHECK_FALSE(*granted);
}

TEST_CASE(
    "files are removed only for a lifecycle that has some of its own; others name the way out") {
  for (const Lifecycle* table : all_lifecycles()) {
    if (is_item(*table)) continue;
    for (const State& state : table->states) {
      if (state.is_open()) continue;
      CAPTURE(table->name);
      const JobVersion seen{.id = JobId{7}, .lifecycle = table, .state = state.name};
      CHECK(grant_hide({.version = seen, .files = OwnFiles::keep}));
      const auto granted = grant_hide({.version = seen, .files = OwnFiles::remove});
      CHECK(granted.has_value() == (table == &kBatch));
      if (granted) continue;
      CHECK(granted.error().code == "no_own_files");
      CHECK(granted.error().detail.find("delete the job without its files") != std::string::npos);
    }
  }
}

}  // namespace haul::rules

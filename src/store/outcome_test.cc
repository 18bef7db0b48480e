#include "store/outcome.h"

#include <doctest/doctest.h>

#include <string>

#include "lifecycle/tables.h"

namespace haul {
namespace {

std::string of(const Lifecycle& table, std::string_view state, const Counts& counts = {}) {
  const auto outcome = outcome_of(table, *table.find(state), counts);
  return outcome ? std::string{name(*outcome)} : "none";
}

}  // namespace

TEST_CASE("Z-25: a batch is whole, partly or nothing by its items, not by its state") {
  const Counts none{};
  const Counts all{.total = 2, .downloaded = 1, .skipped = 1};
  const Counts some{.total = 2, .downloaded = 1, .failed = 1};
  const Counts failed{.total = 2, .failed = 2};
  const Counts skipped{.total = 2, .skipped = 2};
  CHECK(of(kBatch, "COMPLETED", all) == "whole");
  CHECK(of(kBatch, "COMPLETED", skipped) == "whole");
  CHECK(of(kBatch, "COMPLETED", some) == "partly");
  CHECK(of(kBatch, "COMPLETED", failed) == "nothing");
  CHECK(of(kBatch, "COMPLETED", none) == "nothing");
  CHECK(of(kBatch, "FAILED", all) == "partly");
  CHECK(of(kBatch, "FAILED", failed) == "nothing");
  CHECK(of(kBatch, "CANCELLED", some) == "partly");
  CHECK(of(kBatch, "CANCELLED", none) == "nothing");
  CHECK(of(kBatch, "RUNNING", some) == "none");
}

TEST_CASE("Z-25: whether a lifecycle has items decides, not its name") {
  const Counts some{.total = 2, .downloaded = 1, .failed = 1};
  Lifecycle other = kBatch;
  other.name = "other";
  CHECK(of(other, "COMPLETED", some) == "partly");
  other.items = nullptr;
  CHECK(of(other, "COMPLETED", some) == "whole");
}

TEST_CASE("Z-25: elsewhere a good end is whole, any other end nothing, and open has no outcome") {
  int ends = 0;
  for (const Lifecycle* table : {&kBook, &kMedia, &kRelay, &kImage})
    for (const State& state : table->states) {
      const bool is_good = state.end == End::good;
      CHECK(of(*table, state.name) == (state.is_open() ? "none" : is_good ? "whole" : "nothing"));
      ends += state.is_open() ? 0 : 1;
    }
  CHECK(ends > 8);
}

}  // namespace haul

#pragma once
// The store of tests that must hold for every backend: an empty one that nobody else uses. The
// environment variable HAUL_TEST_STORE chooses the backend.

#include <cstdlib>

#include "store/open.h"

namespace haul::testing {

inline std::unique_ptr<Store> open_test_store(Time now,
                                              std::function<void(CommitPhase)> around_commit = {}) {
  const char* chosen = std::getenv("HAUL_TEST_STORE");  // NOLINT(concurrency-mt-unsafe)
  return open_store(chosen ? chosen : "memory:", {.around_commit = std::move(around_commit)}, now);
}

}  // namespace haul::testing

#pragma once
// How much a random test does, and which seed it begins with.

#include <chrono>
#include <cstdlib>
#include <random>
#include <string>

namespace haul::testing {

// HAUL_TEST_SEED, or a fresh one: whoever asks prints it.
inline unsigned seed_of_test() {
  if (const char* given = std::getenv("HAUL_TEST_SEED"))
    return static_cast<unsigned>(std::stoul(given));
  return std::random_device{}();
}

// The usual number of rounds, or that of `./dev proof`, which sets HAUL_PROOF.
inline bool is_proof() { return std::getenv("HAUL_PROOF") != nullptr; }
inline int rounds(int usual, int in_proof) { return is_proof() ? in_proof : usual; }

// How long a cancel may take (S2-12). `./dev proof` has the machine to itself and measures; beside
// other tests, a slow disk or a sanitizer only what hangs is told from what does not.
inline std::chrono::seconds promptly() {
  return is_proof() ? std::chrono::seconds{2} : std::chrono::seconds{15};
}

}  // namespace haul::testing

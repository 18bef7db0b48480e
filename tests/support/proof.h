#pragma once
// How much a random test does, and which seed it begins with.

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
inline int rounds(int usual, int in_proof) { return std::getenv("HAUL_PROOF") ? in_proof : usual; }

}  // namespace haul::testing

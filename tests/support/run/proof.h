#pragma once
// What `./dev proof` adds: more rounds of the random tests, and promises about real time, which
// only an idle machine can measure. It runs the test suite "proof" of every test program with
// HAUL_PROOF set, so only tests in that suite may call is_proof().

#include <doctest/doctest.h>

#include <chrono>
#include <cstdlib>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>

namespace haul::testing {

// HAUL_TEST_SEED, or a random one. The caller prints it.
inline unsigned seed_of_test() {
  if (const char* given = std::getenv("HAUL_TEST_SEED"))
    return static_cast<unsigned>(std::stoul(given));
  return std::random_device{}();
}

inline bool is_proof() {
  const auto* test = doctest::getContextOptions()->currentTest;
  if (test == nullptr || std::string_view{test->m_test_suite} != "proof")
    throw std::logic_error{"this test has a long form and must be in the test suite \"proof\""};
  return std::getenv("HAUL_PROOF") != nullptr;
}

inline int rounds(int usual, int in_proof) { return is_proof() ? in_proof : usual; }

// Whether something took no longer than promised. Always true outside `./dev proof`: next to other
// tests, on a slow disk or under a sanitizer the time says nothing about haul. The test's name says
// so.
template <class Took, class Promised>
bool is_within(Took took, Promised promised) {
  return !is_proof() || took <= promised;
}
// The same for a pause that must last at least this long.
template <class Took, class Promised>
bool is_apart(Took took, Promised promised) {
  return !is_proof() || took >= promised;
}

}  // namespace haul::testing

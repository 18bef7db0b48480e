#pragma once
// What `./dev proof` adds: more rounds of the random tests, and promises about real time, which
// only an idle machine can measure. It runs the test suites "proof alone", one test after the
// other, and "proof", several at once, with HAUL_PROOF set. So only tests in these suites may call
// is_proof(), and only those that run alone may measure time.

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

inline bool is_in_suite(std::string_view name) {
  const auto* test = doctest::getContextOptions()->currentTest;
  return test != nullptr && test->m_test_suite == name;
}

inline bool is_proof() {
  if (!is_in_suite("proof") && !is_in_suite("proof alone"))
    throw std::logic_error{"this test has a long form and must be in the test suite \"proof\""};
  return std::getenv("HAUL_PROOF") != nullptr;
}

inline bool measures_time() {
  if (!is_in_suite("proof alone"))
    throw std::logic_error{"this test measures time and must be in the suite \"proof alone\""};
  return is_proof();
}

inline int rounds(int usual, int in_proof) { return is_proof() ? in_proof : usual; }

// Whether something took no longer than promised. Always true outside `./dev proof`: next to other
// tests, on a slow disk or under a sanitizer the time says nothing about haul. The test's name says
// so.
template <class Took, class Promised>
bool is_within(Took took, Promised promised) {
  return !measures_time() || took <= promised;
}
// The same for a pause that must last at least this long.
template <class Took, class Promised>
bool is_apart(Took took, Promised promised) {
  return !measures_time() || took >= promised;
}

}  // namespace haul::testing

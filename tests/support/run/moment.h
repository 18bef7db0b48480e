#pragma once
// Random points in time, for tests that interrupt a process at any moment.

#include <poll.h>

#include <chrono>
#include <ctime>
#include <random>

namespace haul::testing {

template <class Number>
Number between(std::mt19937& random, Number least, Number most) {
  return std::uniform_int_distribution<Number>{least, most}(random);
}
inline std::chrono::microseconds between(std::mt19937& random, std::chrono::microseconds least,
                                         std::chrono::microseconds most) {
  return std::chrono::microseconds{between(random, least.count(), most.count())};
}

// Waits for a time. Only for tests that interrupt at a random moment: a test that can see a
// condition waits for the condition.
inline void let_pass(std::chrono::microseconds time) {
  const auto whole = std::chrono::floor<std::chrono::seconds>(time);
  const timespec wait{whole.count(), std::chrono::nanoseconds{time - whole}.count()};
  ::ppoll(nullptr, 0, &wait, nullptr);
}

}  // namespace haul::testing

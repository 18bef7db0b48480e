#pragma once
// Points in time: random ones, for tests that interrupt a process at any moment, and the one at
// which a condition holds.

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

// Asks again every 10 ms until it holds. False if it does not hold after 3,000 times.
template <class Holds>
bool comes_true(const Holds& holds) {
  for (int i = 0; i < 3'000; ++i) {
    if (holds()) return true;
    let_pass(std::chrono::milliseconds{10});
  }
  return false;
}

}  // namespace haul::testing

#pragma once
// Reports a test that cannot run on this machine: which test, and what is missing. doctest counts
// it as passed; `./dev test` collects these lines and prints them at the end.

#include <doctest/doctest.h>

#include <cstdio>
#include <string>
#include <string_view>

namespace haul::testing {

inline void skip(std::string_view why) {
  const auto* test = doctest::getContextOptions()->currentTest;
  const std::string line =
      std::string{"skipped: "} + (test ? test->m_name : "a test") + ": " + std::string{why} + "\n";
  std::fputs(line.c_str(), stdout);
  std::fflush(stdout);
}

}  // namespace haul::testing

#pragma once
// The memory use of a process, from /proc.

#include <fmt/core.h>
#include <sys/types.h>

#include <fstream>
#include <string>

#include "support/run/skip.h"

namespace haul::testing {

// Sanitizers keep freed memory, so a measurement would mean nothing.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kMeasuresMemory = false;
#else
inline constexpr bool kMeasuresMemory = true;
#endif

// Whether a test may check how much memory is in use. If not, reports that this check is skipped;
// the rest of the test goes on.
inline bool measures_memory() {
  if (!kMeasuresMemory) skip("only its check of memory, which a sanitizer distorts");
  return kMeasuresMemory;
}

inline long status_kib(pid_t pid, const std::string& field) {
  std::ifstream status{fmt::format("/proc/{}/status", pid)};
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(field)) return std::stol(line.substr(field.size()));
  return 0;
}
inline long resident_kib(pid_t pid) { return status_kib(pid, "VmRSS:"); }
// The highest resident size so far.
inline long peak_kib(pid_t pid) { return status_kib(pid, "VmHWM:"); }

}  // namespace haul::testing

#pragma once
// Errors from the outside world, sorted by what the caller does next.

#include <cstdint>
#include <expected>
#include <string>

namespace haul {

enum class FaultKind : std::uint8_t {
  retryable,    // Try again later; counts an attempt.
  permanent,    // Trying again cannot help.
  rejected,     // A rule said no: a safety filter, a guard, a policy.
  environment,  // The local disk, network or folder fails: wait, count no attempt.
  cancelled,    // A user or a shutdown stopped the work.
};

struct Fault {
  FaultKind kind = FaultKind::permanent;
  std::string code;    // Stable snake_case word.
  std::string detail;  // Prose for people, never parsed.

  bool operator==(const Fault&) const = default;
};

template <class T>
using Result = std::expected<T, Fault>;

}  // namespace haul

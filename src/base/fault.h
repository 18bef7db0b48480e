#pragma once
// What the outside world can do to us, sorted by what the caller does next.

#include <cstdint>
#include <expected>
#include <string>

namespace haul {

enum class FaultKind : std::uint8_t {
  retryable,    // Try again later; counts an attempt.
  permanent,    // Trying again cannot help.
  rejected,     // A rule said no: a safety filter, a guard, a policy.
  environment,  // Our own surroundings (disk, network, folder): wait, burn no attempt.
  cancelled,    // Somebody asked us to stop.
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

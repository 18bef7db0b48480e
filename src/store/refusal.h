#pragma once
// Refusals, which answer a caller, and faults, which the store throws. Losing a race is an answer,
// not an error.

#include <cstdint>
#include <stdexcept>
#include <string>

namespace haul {

enum class RefusalKind : std::uint8_t {
  stale,      // The row has changed since it was read, or another worker has the lease.
  forbidden,  // The lifecycle has no such move, or not for this caller.
  guarded,    // A guard, a key, a limit or missing proof says no.
};

struct Refusal {
  RefusalKind kind = RefusalKind::stale;
  std::string code;    // Stable snake_case word.
  std::string detail;  // Prose for people.
  std::string field;   // Path of the refused field in the request; empty if there is no single one.
  std::int64_t wait_s = 0;  // Another request may succeed after so many seconds. Zero: unknown.

  bool operator==(const Refusal&) const = default;
};

// A failure that the caller cannot repair. Caught in the worker tick, the HTTP request and main.
class StoreFault : public std::runtime_error {
 public:
  enum class Kind : std::uint8_t {
    busy,     // The queue was full, or the deadline passed; nothing was written.
    full,     // No space left; nothing was written, and a later try may work.
    broken,   // A statement failed in a way the code does not expect; nothing was written.
    gone,     // The file cannot be trusted any more; the process should restart to recover.
    refused,  // The file may not be opened: locked, of a newer schema, or not haul's.
  };

  StoreFault(Kind kind, const std::string& what) : std::runtime_error{what}, kind_{kind} {}
  Kind kind() const { return kind_; }

 private:
  Kind kind_;
};

// True if the store may recover by itself, so that the caller can retry later.
constexpr bool is_passing(StoreFault::Kind kind) {
  return kind == StoreFault::Kind::full || kind == StoreFault::Kind::busy;
}

}  // namespace haul

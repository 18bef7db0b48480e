#pragma once
// Why the store did not do what was asked. Losing a race is an answer, not an error.

#include <cstdint>
#include <stdexcept>
#include <string>

namespace haul {

enum class RefusalKind : std::uint8_t {
  stale,      // The row is no longer as it was seen, or the lease is somebody else's.
  forbidden,  // The lifecycle has no such move, or not by this one.
  guarded,    // A guard, a key, a limit or missing proof says no.
};

struct Refusal {
  RefusalKind kind = RefusalKind::stale;
  std::string code;    // Stable snake_case word.
  std::string detail;  // Prose for people.
  std::string field;   // Path of the refused field within a request; empty: no single field.

  bool operator==(const Refusal&) const = default;
};

// What no caller can mend here. Caught in the worker tick, the HTTP request and main.
class StoreFault : public std::runtime_error {
 public:
  enum class Kind : std::uint8_t {
    busy,     // The queue was full or slow past the deadline; nothing was written.
    full,     // No space left; nothing was written, and it may work again later.
    broken,   // A statement failed in a way the code does not expect; nothing was written.
    gone,     // The file cannot be trusted any more; the process should end and recover.
    refused,  // The file may not be opened: locked, newer, or not haul's.
  };

  StoreFault(Kind kind, const std::string& what) : std::runtime_error{what}, kind_{kind} {}
  Kind kind() const { return kind_; }

 private:
  Kind kind_;
};

// The store may work again by itself: whoever was refused may ask again later.
constexpr bool is_passing(StoreFault::Kind kind) {
  return kind == StoreFault::Kind::full || kind == StoreFault::Kind::busy;
}

}  // namespace haul

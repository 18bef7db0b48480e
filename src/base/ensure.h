#pragma once
// Checks what haul itself guarantees at a boundary, in release builds too. A broken guarantee means
// that haul no longer knows what it does, so the process ends before it writes anything. The store
// is durable, and the next start goes on from it. Input from outside is never checked this way: it
// gets a fault or a refusal.

#include <source_location>
#include <string_view>

namespace haul {

// Writes what broke and where to standard error, and aborts.
[[noreturn]] void report_broken(std::string_view what, const std::source_location& where);

// `what` says what must hold: "a move names a state of its table".
inline void ensure(bool holds, std::string_view what,
                   const std::source_location& where = std::source_location::current()) {
  if (!holds) [[unlikely]]
    report_broken(what, where);
}

}  // namespace haul

#pragma once
// How long a name waits after failed logins. Guessing gets slow; mistyping a few times costs
// nothing.

#include <optional>

#include "base/time.h"

namespace haul {

struct LoginFailures {
  int count = 0;
  Time last_at;

  bool operator==(const LoginFailures&) const = default;
};

// None for the first four, a second after the fifth, doubled with each up to fifteen minutes.
Millis lockout_after(int failures);

// Until when further tries are refused; nothing: they are not. A last failure in the future is of a
// clock that was set back, and refuses nothing: it would lock the name for as long as it was set.
std::optional<Time> refused_until(const LoginFailures& failures, Time now);

// A day after the last failure they no longer count.
bool is_forgotten(const LoginFailures& failures, Time now);

}  // namespace haul

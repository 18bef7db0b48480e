#pragma once
// How long a user name is locked after failed logins. This slows guessing down; a few typing errors
// cost nothing.

#include <optional>

#include "base/time.h"

namespace haul {

struct LoginFailures {
  int count = 0;
  Time last_at;

  bool operator==(const LoginFailures&) const = default;
};

// Zero for the first four failures, one second after the fifth, doubled with each further failure
// up to fifteen minutes.
Millis lockout_after(int failures);

// Until when further logins are refused; nothing if they are allowed. A last failure in the future
// means that the clock was set back. It refuses nothing: it would lock the name for as long as the
// clock was set back.
std::optional<Time> refused_until(const LoginFailures& failures, Time now);

// True a day after the last failure: the failures no longer count.
bool is_forgotten(const LoginFailures& failures, Time now);

}  // namespace haul

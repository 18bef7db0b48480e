#pragma once
// What logins leave behind. Failed ones and lock-outs are lines of the log, few for each address,
// so that a flood cannot fill it. What concerns a user is in the audit log, too.

#include <string>

#include "api/call.h"

namespace haul {

enum class LoginBy : std::uint8_t { key, password };

struct LoginTry {
  const std::string& peer;
  LoginBy by = LoginBy::key;
  UserId
      user{};  // Whose name was given; zero: nobody's. Names are not told: people type passwords.
};

void tell_failed(const ApiParts& parts, const LoginTry& failed);
// The address or the name has to wait; `why` says which.
void tell_locked_out(const ApiParts& parts, const LoginTry& refused, std::string_view why);
// A wrong key came: 429 if its address has sent too many; nothing: refuse it as a wrong key.
std::optional<ApiError> refuse_key(const ApiParts& parts, const WebRequest& request);
void audit_login(const ApiParts& parts, UserId user, LoginBy by, Time now);

}  // namespace haul

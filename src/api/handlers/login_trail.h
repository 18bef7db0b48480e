#pragma once
// Records logins. Failed logins and lockouts go into the log, a few lines per address, so that a
// flood cannot fill it. Those that concern a user go into the audit log too.

#include <string>

#include "api/call.h"

namespace haul::api {

enum class LoginBy : std::uint8_t { key, password };

struct LoginTry {
  const std::string& peer;
  LoginBy by = LoginBy::key;
  // The user whose name was given; zero if no user has it. The name itself is never logged, because
  // people type passwords there.
  UserId user{};
};

void tell_failed(const ApiParts& parts, const LoginTry& failed);
// The address or the name must wait; `why` says which.
void tell_locked_out(const ApiParts& parts, const LoginTry& refused, std::string_view why);
// Records a wrong key. Returns 429 if its address has sent too many, else nullopt.
std::optional<ApiError> refuse_key(const ApiParts& parts, const WebRequest& request);
void audit_login(const ApiParts& parts, UserId user, LoginBy by, Time now);

}  // namespace haul::api

#pragma once
// Who asks: found by an API key or a session, and looked up again while a stream stays open.

#include <optional>
#include <string>
#include <string_view>

#include "store/store.h"

namespace haul {

// What a request came in with. No part of it is a secret.
struct Credential {
  ApiKeyId key;            // Itself, or what its session was opened with; zero: none.
  std::string key_prefix;  // Of a key that came itself.
  std::string session;     // The hash of a session's token; empty: none.

  auto operator<=>(const Credential&) const = default;
};

// An anonymous request has no user.
struct Who {
  User user;
  Scopes scopes;  // What both the user's role and the credential allow.
  Credential by;

  // Whose jobs are visible. Zero: everybody's, for those who may operate.
  UserId scope() const { return scopes.has(Scope::operate) ? UserId{} : user.id; }
};

Scopes scopes_of(Role role);
// What both allow.
Scopes both(Scopes a, Scopes b);

// Nothing: an unknown, revoked or expired key, or a user who is not active.
std::optional<Who> who_has_key(Store& store, std::string_view key, Time now);
// By the hash of the session's token. Nothing: no such session, or it has ended.
std::optional<Who> who_has_session(Store& store, const std::string& token_hash, Time now);
// The same credential as the store has it now. Nothing: it no longer lets anybody in.
std::optional<Who> who_still(Store& store, const Credential& credential, Time now);

}  // namespace haul

#pragma once
// Identifies who sends a request, by API key or session. Streams look it up again while they run.

#include <optional>
#include <string>
#include <string_view>

#include "store/store.h"

namespace haul::api {

// How a request identified itself. No part of it is a secret.
struct Credential {
  ApiKeyId key;            // The key, or the one that opened the session; zero: none.
  std::string key_prefix;  // Of a key that the request sent.
  std::string session;     // The hash of a session's token; empty: none.

  auto operator<=>(const Credential&) const = default;
};

// An anonymous request has no user.
struct Who {
  User user;
  Scopes scopes;  // What both the user's role and the credential allow.
  Credential by;

  // The owner whose jobs are visible. Zero: all owners, for users who may operate.
  UserId scope() const { return scopes.has(Scope::operate) ? UserId{} : user.id; }
};

Scopes scopes_of(Role role);
// What both allow.
Scopes both(Scopes a, Scopes b);

// Nullopt if the key is unknown, revoked or expired, or its user is not active.
std::optional<Who> who_has_key(Store& store, std::string_view key, Time now);
// By the hash of the session's token. Nullopt if there is no such session or it has ended.
std::optional<Who> who_has_session(Store& store, const std::string& token_hash, Time now);
// The same credential as the store has it now. Nullopt if it no longer grants access.
std::optional<Who> who_still(Store& store, const Credential& credential, Time now);

}  // namespace haul::api

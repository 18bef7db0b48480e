#include "api/who.h"

#include "base/secret.h"

namespace haul::api {
namespace {

Who who_of(const LiveApiKey& live) {
  return {.user = live.user,
          .scopes = both(scopes_of(live.user.role), live.key.scopes),
          .by = {.key = live.key.id, .key_prefix = live.key.prefix, .session = {}}};
}

}  // namespace

Scopes scopes_of(Role role) {
  switch (role) {
    case Role::viewer:
      return {Scope::read};
    case Role::adder:
      return {Scope::read, Scope::add};
    case Role::operating:
      return {Scope::read, Scope::add, Scope::operate};
    case Role::admin:
      return Scopes::all();
  }
  return {};
}

Scopes both(Scopes a, Scopes b) {
  Scopes common;
  for (const Scope scope : {Scope::read, Scope::add, Scope::operate, Scope::admin})
    if (a.has(scope) && b.has(scope)) common.insert(scope);
  return common;
}

std::optional<Who> who_has_key(Store& store, std::string_view key, Time now) {
  const auto prefix = api_key_prefix(key);
  const auto live = prefix ? store.access().keys().live(*prefix, now) : std::nullopt;
  if (!live || !is_same_secret(live->hash, hash_token(key))) return std::nullopt;
  return who_of(*live);
}

std::optional<Who> who_has_session(Store& store, const std::string& token_hash, Time now) {
  const auto live = store.access().sessions().find(token_hash, now);
  if (!live) return std::nullopt;
  return Who{.user = live->user,
             .scopes = both(scopes_of(live->user.role), live->session.scopes),
             .by = {.key = live->session.key, .key_prefix = {}, .session = token_hash}};
}

std::optional<Who> who_still(Store& store, const Credential& credential, Time now) {
  if (!credential.session.empty()) return who_has_session(store, credential.session, now);
  const auto live = store.access().keys().live(credential.key_prefix, now);
  if (!live || live->key.id != credential.key) return std::nullopt;
  return who_of(*live);
}

}  // namespace haul::api

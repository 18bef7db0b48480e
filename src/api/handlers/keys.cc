// Handlers for API keys.

#include <fmt/core.h>

#include "api/handlers/handlers.h"
#include "api/handlers/read_request.h"
#include "api/json/user_json.h"
#include "base/secret.h"

namespace haul::api {
namespace {

constexpr int kKeyTries = 3;  // A prefix is taken with a chance of one in two hundred billion.

std::string time_or_null(const std::optional<Time>& at) {
  return at ? "\"" + to_iso(*at) + "\"" : "null";
}

std::string members_of(const ApiKey& key) {
  return fmt::format(
      R"("id":{},"user":{},"name":{},"scopes":{},"prefix":{},"created_at":"{}","expires_at":{},)"
      R"("used_at":{},"revoked_at":{},"made_by":{})",
      key.id.value, key.user.value, json_quoted(key.name), scopes_json(key.scopes),
      json_quoted(key.prefix), to_iso(key.created_at), time_or_null(key.expires_at),
      time_or_null(key.used_at), time_or_null(key.revoked_at),
      key.maker ? std::to_string(key.maker.value) : "null");
}

// A key must not revoke a key that has more scopes than it has.
std::optional<ApiError> check_revoke(const ApiParts& parts, const Who& who, const ApiKey& key) {
  const auto owner = parts.store.users().find(key.user);
  const Scopes opens = owner ? both(scopes_of(owner->role), key.scopes) : key.scopes;
  if (both(opens, who.scopes) == opens) return std::nullopt;
  return ApiError{403, "not_allowed",
                  fmt::format("key {} has the scopes {}; only a key or session with all of them "
                              "may revoke it, and yours has only {}",
                              key.id.value, to_text(opens), to_text(who.scopes))};
}

std::expected<Scopes, ApiError> read_scopes(const Body& body, Scopes most) {
  const JsonField* field = body.find("scopes");
  if (!field) return most;
  const auto words = read_array(field->json);
  if (!words) return std::unexpected{wrong_field("scopes", "expected a list")};
  Scopes scopes;
  for (const std::string& word : *words) {
    const auto scope = find_scope(word);
    if (!scope)
      return std::unexpected{wrong_field("scopes", "expected read, add, operate or admin")};
    if (!most.has(*scope))
      return std::unexpected{
          ApiError{403, "not_allowed", "a key cannot have more scopes than you have"}};
    scopes.insert(*scope);
  }
  return scopes;
}

}  // namespace

namespace handle {

ApiReply list_keys(const ApiParts& parts, const Call& call) {
  if (auto error = check_query(call.request, {"limit", "cursor"})) return std::unexpected{*error};
  const auto page = read_page(call.request);
  if (!page) return std::unexpected{page.error()};
  const bool all = call.who.scopes.has(Scope::admin);
  const auto keys = parts.store.access().keys().list({.user = all ? UserId{} : call.who.user.id,
                                                      .before = ApiKeyId{page->cursor},
                                                      .limit = page->limit});
  std::vector<std::string> items;
  items.reserve(keys.size());
  for (const ApiKey& key : keys) items.push_back("{" + members_of(key) + "}");
  return list_reply(items, keys.size() == page->limit ? keys.back().id.value : 0);
}

ApiReply add_key(const ApiParts& parts, const Call& call) {
  const auto body = Body::read(call.request.body, {"name", "scopes", "user"});
  if (!body) return std::unexpected{body.error()};
  const auto name = body->text("name");
  if (!name) return std::unexpected{name.error()};
  if (*name == kAdminKeyName)
    return std::unexpected{
        wrong_field("name", "admin.key is reserved for the daemon; choose another name")};
  const auto asked = body->number("user");
  if (!asked) return std::unexpected{asked.error()};
  const UserId user{asked->value_or(call.who.user.id.value)};
  if (user != call.who.user.id && !call.who.scopes.has(Scope::admin))
    return std::unexpected{
        ApiError{403, "not_allowed", "only an admin may create keys for other users"}};
  const auto scopes = read_scopes(*body, call.who.scopes);
  if (!scopes) return std::unexpected{scopes.error()};
  for (int tries = 1;; ++tries) {
    const std::string key = make_api_key();
    const auto added = parts.store.access().keys().add({.user = user,
                                                        .name = *name,
                                                        .scopes = *scopes,
                                                        .prefix = api_key_prefix(key).value_or(""),
                                                        .hash = hash_token(key),
                                                        .expires_at = {},
                                                        .maker = call.who.by.key},
                                                       call.now);
    if (!added && added.error().code == "prefix_taken" && tries < kKeyTries) continue;
    if (!added) return std::unexpected{error_of(added.error())};
    call.touch({.owner = added->user,
                .detail = fmt::format("key {} of user {}", added->id.value, added->user.value)});
    return json_reply(201, fmt::format("{{{},\"key\":\"{}\"}}", members_of(*added), key));
  }
}

ApiReply revoke_key(const ApiParts& parts, const Call& call) {
  const auto id = read_number(call.word());
  const auto key = id && *id > 0 ? parts.store.access().keys().find(ApiKeyId{*id}) : std::nullopt;
  const bool may = key && (key->user == call.who.user.id || call.who.scopes.has(Scope::admin));
  if (!may) return std::unexpected{ApiError{404, "no_such_key", "there is no such key"}};
  if (auto error = check_revoke(parts, call.who, *key)) return std::unexpected{*error};
  const std::size_t revoked = parts.store.access().keys().revoke_with_made(key->id, call.now);
  parts.live.check_access();
  const std::string made =
      revoked > 1 ? fmt::format(", with {} more made by it", revoked - 1) : std::string{};
  call.touch({.owner = key->user,
              .detail = fmt::format("key {} of user {}{}", key->id.value, key->user.value, made)});
  return WebReply{.status = 204, .headers = {}, .body = {}, .stream = {}};
}

}  // namespace handle
}  // namespace haul::api

// Handlers for keys, users, credits and the audit log.

#include <fmt/core.h>

#include "api/handlers/ask.h"
#include "api/handlers/handlers.h"
#include "api/json/user_json.h"
#include "base/secret.h"

namespace haul {
namespace {

constexpr std::size_t kGrantKeyMax = 200;
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

// Else a key that may do less could lock out one that may do more.
std::optional<ApiError> check_revoke(const ApiParts& parts, const Who& who, const ApiKey& key) {
  const auto owner = parts.store.users().find(key.user);
  const Scopes opens = owner ? both(scopes_of(owner->role), key.scopes) : key.scopes;
  if (both(opens, who.scopes) == opens) return std::nullopt;
  return ApiError{403, "not_allowed",
                  fmt::format("key {} has the scopes {}; a key or session that has them all may "
                              "revoke it, and yours has {}",
                              key.id.value, to_text(opens), to_text(who.scopes))};
}

std::expected<Scopes, ApiError> read_scopes(const Body& body, Scopes most) {
  const JsonField* field = body.find("scopes");
  if (!field) return most;
  const auto words = read_array(field->json);
  if (!words) return std::unexpected{wrong_field("scopes", "a list is wanted")};
  Scopes scopes;
  for (const std::string& word : *words) {
    const auto scope = find_scope(word);
    if (!scope)
      return std::unexpected{wrong_field("scopes", "read, add, operate or admin is wanted")};
    if (!most.has(*scope))
      return std::unexpected{ApiError{403, "not_allowed", "a key opens no more than you may"}};
    scopes.insert(*scope);
  }
  return scopes;
}

std::expected<UserId, ApiError> user_in_path(const Call& call) {
  const auto id = read_number(call.words.front());
  if (!id || *id < 1) return std::unexpected{ApiError{404, "no_such_user", "no such user"}};
  return UserId{*id};
}

std::string form(const Wallet& wallet) {
  return fmt::format(R"({{"granted":{},"available":{},"reserved":{},"spent":{}}})", wallet.granted,
                     wallet.available, wallet.reserved, wallet.spent);
}

std::string form(const Granted& granted) {
  const std::string wallet = form(granted.wallet);
  return fmt::format(R"({},"replayed":{}}})", wallet.substr(0, wallet.size() - 1),
                     granted.replayed);
}

// Required, so that a client that lost the answer can repeat the request without granting twice.
// The same key from two admins means two grants.
std::expected<std::string, ApiError> grant_key(const Call& call) {
  constexpr const char* kHeader = "Idempotency-Key";
  const std::string_view key = call.request.header("idempotency-key");
  if (key.empty())
    return std::unexpected{ApiError{
        400,
        "missing_key",
        "the header Idempotency-Key is required: a new value for each grant, the same value to "
        "repeat one",
        {{kHeader, "required"}}}};
  if (key.size() > kGrantKeyMax)
    return std::unexpected{ApiError{
        400, "bad_key", fmt::format("Idempotency-Key has at most {} bytes", kGrantKeyMax)}};
  return fmt::format("{}:{}", call.who.user.id.value, key);
}

}  // namespace

namespace handle {

ApiReply me(const ApiParts&, const Call& call) {
  const User& user = call.who.user;
  return json_reply(
      200, fmt::format(R"({{"id":{},"name":{},"role":"{}","scopes":{}}})", user.id.value,
                       json_quoted(user.name), role_name(user.role), scopes_json(call.who.scopes)));
}

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
    return std::unexpected{wrong_field("name", "admin.key is the daemon's own; choose another")};
  const auto asked = body->number("user");
  if (!asked) return std::unexpected{asked.error()};
  const UserId user{asked->value_or(call.who.user.id.value)};
  if (user != call.who.user.id && !call.who.scopes.has(Scope::admin))
    return std::unexpected{ApiError{403, "not_allowed", "only for yourself"}};
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
  const auto id = read_number(call.words.front());
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

ApiReply list_users(const ApiParts& parts, const Call& call) {
  if (auto error = check_query(call.request, {"limit", "cursor"})) return std::unexpected{*error};
  const auto page = read_page(call.request);
  if (!page) return std::unexpected{page.error()};
  const auto users = parts.store.users().list(UserId{page->cursor}, page->limit);
  std::vector<std::string> items;
  items.reserve(users.size());
  for (const User& user : users) items.push_back(user_json(user));
  return list_reply(items, users.size() == page->limit ? users.back().id.value : 0);
}

ApiReply add_user(const ApiParts& parts, const Call& call) {
  const auto body = Body::read(call.request.body, {"name", "role"});
  if (!body) return std::unexpected{body.error()};
  const auto name = body->text("name");
  const auto role_text = body->text("role");
  for (const auto* field : {&name, &role_text})
    if (!*field) return std::unexpected{field->error()};
  const auto role = role_text->empty() ? Role::adder : role_named(*role_text);
  if (!role)
    return std::unexpected{wrong_field("role", "viewer, adder, operator or admin is wanted")};
  const auto user = parts.store.users().add(*name, *role, call.now);
  if (!user) return std::unexpected{error_of(user.error())};
  call.touch({.owner = user->id,
              .detail = fmt::format("user {} as {}", user->id.value, role_name(*role))});
  return json_reply(201, user_json(*user));
}

ApiReply set_user(const ApiParts& parts, const Call& call) {
  const auto id = user_in_path(call);
  if (!id) return std::unexpected{id.error()};
  const auto before = parts.store.users().find(*id);
  if (!before) return std::unexpected{ApiError{404, "no_such_user", "no such user"}};
  const auto body = Body::read(call.request.body, {"role", "status", "password"});
  if (!body) return std::unexpected{body.error()};
  const auto role_text = body->text("role");
  const auto status_text = body->text("status");
  const auto password = body->text("password");
  for (const auto* field : {&role_text, &status_text, &password})
    if (!*field) return std::unexpected{field->error()};
  const auto role = role_text->empty() ? before->role : role_named(*role_text);
  const auto status = status_text->empty() ? before->status : status_named(*status_text);
  if (!role) return std::unexpected{wrong_field("role", "no such role")};
  if (!status) return std::unexpected{wrong_field("status", "active, blocked or deleted")};
  const auto hash = password->empty() ? std::string{} : hash_password(*password);
  if (!hash) return std::unexpected{wrong_field("password", hash.error().detail)};
  // This one may be refused, and then nothing of the request is done.
  const auto user = parts.store.users().set(*id, *status, *role);
  if (!user) return std::unexpected{error_of(user.error())};
  if (!hash->empty()) {
    parts.store.access().logins().set_password(*id, *hash, call.now);
    call.touch(
        {.owner = *id, .detail = fmt::format("user {}", id->value), .action = "PASSWORD_SET"});
  }
  parts.live.check_access();
  if (*user != *before)
    call.touch({.owner = *id,
                .detail = fmt::format("user {}: {}, {}", id->value, role_name(*role),
                                      status_name(*status))});
  return json_reply(200, user_json(*user));
}

ApiReply grant_credits(const ApiParts& parts, const Call& call) {
  const auto id = user_in_path(call);
  if (!id) return std::unexpected{id.error()};
  const auto body = Body::read(call.request.body, {"amount", "detail"});
  if (!body) return std::unexpected{body.error()};
  const auto asked = body->number("amount");
  if (!asked) return std::unexpected{asked.error()};
  const std::optional<std::int64_t> amount = *asked;
  if (!amount) return std::unexpected{wrong_field("amount", "a number is wanted")};
  const auto detail = body->text("detail");
  if (!detail) return std::unexpected{detail.error()};
  const auto key = grant_key(call);
  if (!key) return std::unexpected{key.error()};
  const auto granted = parts.store.ledger().grant(
      {.owner = *id, .amount = *amount, .detail = *detail, .key = *key}, call.now);
  if (!granted) return std::unexpected{error_of(granted.error())};
  call.touch({.owner = *id,
              .detail = fmt::format("{} to user {}", *amount, id->value),
              .action = granted->replayed ? "CREDITS_REPEATED" : ""});
  return json_reply(200, form(*granted));
}

ApiReply show_credits(const ApiParts& parts, const Call& call) {
  const auto id = user_in_path(call);
  if (!id) return std::unexpected{id.error()};
  if (*id != call.who.user.id && !call.who.scopes.has(Scope::admin))
    return std::unexpected{ApiError{404, "no_such_user", "no such user"}};
  return json_reply(200, form(parts.store.ledger().wallet(*id)));
}

ApiReply list_audit(const ApiParts& parts, const Call& call) {
  if (auto error = check_query(call.request, {"limit", "cursor"})) return std::unexpected{*error};
  const auto page = read_page(call.request);
  if (!page) return std::unexpected{page.error()};
  const auto entries = parts.store.ledger().audits_before(page->cursor, page->limit);
  std::vector<std::string> items;
  items.reserve(entries.size());
  for (const AuditEntry& entry : entries)
    items.push_back(
        fmt::format(R"({{"id":{},"at":"{}","user_hash":{},"job":{},"action":{},"detail":{}}})",
                    entry.id, to_iso(entry.at), json_quoted(entry.user_hash),
                    entry.job ? std::to_string(entry.job.value) : "null", json_quoted(entry.action),
                    json_quoted(entry.detail)));
  return list_reply(items, entries.size() == page->limit ? entries.back().id : 0);
}

}  // namespace handle
}  // namespace haul

// Who comes in, and what they may do: sessions, keys, users, credits, and what is written down
// about all that.

#include <fmt/core.h>

#include "api/ask.h"
#include "api/handlers.h"
#include "base/secret.h"

namespace haul {
namespace {

constexpr Millis kSessionFor{std::chrono::hours{24 * 14}};
constexpr int kKeyTries = 3;  // A prefix that is taken is one in two hundred billion.

std::string_view role_name(Role role) {
  switch (role) {
    case Role::viewer:
      return "viewer";
    case Role::adder:
      return "adder";
    case Role::operating:
      return "operator";
    case Role::admin:
      return "admin";
  }
  return "viewer";
}
std::optional<Role> role_named(std::string_view text) {
  for (const Role role : {Role::viewer, Role::adder, Role::operating, Role::admin})
    if (role_name(role) == text) return role;
  return std::nullopt;
}

std::string_view status_name(UserStatus status) {
  switch (status) {
    case UserStatus::active:
      return "active";
    case UserStatus::blocked:
      return "blocked";
    case UserStatus::deleted:
      return "deleted";
  }
  return "blocked";
}
std::optional<UserStatus> status_named(std::string_view text) {
  for (const UserStatus status : {UserStatus::active, UserStatus::blocked, UserStatus::deleted})
    if (status_name(status) == text) return status;
  return std::nullopt;
}

std::string form(const User& user) {
  return fmt::format(R"({{"id":{},"name":{},"role":"{}","status":"{}","created_at":"{}"}})",
                     user.id.value, json_quoted(user.name), role_name(user.role),
                     status_name(user.status), to_iso(user.created_at));
}

std::string list_of(Scopes scopes) {
  std::string out;
  for (const Scope scope : {Scope::read, Scope::add, Scope::operate, Scope::admin})
    if (scopes.has(scope)) out += fmt::format("{}\"{}\"", out.empty() ? "" : ",", name(scope));
  return "[" + out + "]";
}

std::string time_or_null(const std::optional<Time>& at) {
  return at ? "\"" + to_iso(*at) + "\"" : "null";
}

std::string members_of(const ApiKey& key) {
  return fmt::format(
      R"("id":{},"user":{},"name":{},"scopes":{},"prefix":{},"created_at":"{}","expires_at":{},)"
      R"("used_at":{},"revoked_at":{})",
      key.id.value, key.user.value, json_quoted(key.name), list_of(key.scopes),
      json_quoted(key.prefix), to_iso(key.created_at), time_or_null(key.expires_at),
      time_or_null(key.used_at), time_or_null(key.revoked_at));
}

void audit(const ApiParts& parts, const Call& call, const std::string& action,
           const std::string& detail) {
  parts.store.ledger().audit(call.who.user.id, {}, action, detail, call.now);
}

ApiError bad_login() { return {401, "bad_login", "that does not open anything"}; }

std::string cookie(const std::string& token, Millis age, const WebRequest& request) {
  const bool over_tls = request.header("x-forwarded-proto") == "https";
  return fmt::format("haul_session={}; Path=/; HttpOnly; SameSite=Strict; Max-Age={}{}", token,
                     std::chrono::duration_cast<std::chrono::seconds>(age).count(),
                     over_tls ? "; Secure" : "");
}

ApiReply open_session(const ApiParts& parts, const Call& call, const User& user) {
  const std::string token = random_token(32);
  const auto opened = parts.store.access().sessions().open({.token_hash = hash_token(token),
                                                            .user = user.id,
                                                            .created_at = call.now,
                                                            .expires_at = call.now + kSessionFor});
  if (!opened) return std::unexpected{bad_login()};
  WebReply reply = json_reply(200, fmt::format(R"({{"user":{}}})", form(user)));
  reply.headers.emplace_back("Set-Cookie", cookie(token, kSessionFor, call.request));
  return reply;
}

std::expected<void, ApiError> take_try(const ApiParts& parts, const Call& call,
                                       const std::string& name) {
  const auto taken = parts.store.access().logins().take_try(name, call.now);
  if (taken) return {};
  ApiError error{429, "locked_out",
                 fmt::format("too many tries; again after {}", to_iso(taken.error()))};
  error.retry_after_s =
      static_cast<int>(std::chrono::ceil<std::chrono::seconds>(taken.error() - call.now).count());
  return std::unexpected{error};
}

ApiReply by_key(const ApiParts& parts, const Call& call, const std::string& key) {
  const std::string name = "key from " + call.request.peer;
  if (auto taken = take_try(parts, call, name); !taken) return std::unexpected{taken.error()};
  const auto prefix = api_key_prefix(key);
  const auto live = prefix ? parts.store.access().keys().live(*prefix, call.now) : std::nullopt;
  if (!live || !is_same_secret(live->hash, hash_token(key))) return std::unexpected{bad_login()};
  // A session may all that its user may, so a key that may less does not open one.
  if (!live->key.scopes.has(Scope::admin) && live->user.role == Role::admin)
    return std::unexpected{ApiError{403, "not_allowed", "this key is narrower than its user"}};
  parts.store.access().logins().succeeded(name);
  return open_session(parts, call, live->user);
}

ApiReply by_password(const ApiParts& parts, const Call& call, const std::string& name,
                     const std::string& password) {
  if (auto taken = take_try(parts, call, name); !taken) return std::unexpected{taken.error()};
  const auto user = parts.store.users().find(name);
  const auto hash = user ? parts.store.access().logins().password(user->id) : std::nullopt;
  const bool right = hash ? verify_password(*hash, password) : verify_no_password(password);
  if (!right) return std::unexpected{bad_login()};
  parts.store.access().logins().succeeded(name);
  return open_session(parts, call, *user);
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

}  // namespace

namespace handle {

ApiReply log_in(const ApiParts& parts, const Call& call) {
  const auto body = Body::read(call.request.body, {"key", "name", "password"});
  if (!body) return std::unexpected{body.error()};
  const auto key = body->text("key");
  const auto name = body->text("name");
  const auto password = body->text("password");
  for (const auto* field : {&key, &name, &password})
    if (!*field) return std::unexpected{field->error()};
  if (!key->empty()) return by_key(parts, call, *key);
  if (name->empty() || password->empty())
    return std::unexpected{ApiError{400, "missing_field", "key, or name and password"}};
  return by_password(parts, call, *name, *password);
}

ApiReply log_out(const ApiParts& parts, const Call& call) {
  if (!call.who.session.empty()) parts.store.access().sessions().close(call.who.session);
  return WebReply{.status = 204,
                  .headers = {{"Set-Cookie", cookie("", Millis{0}, call.request)}},
                  .body = {},
                  .stream = {}};
}

ApiReply me(const ApiParts&, const Call& call) {
  const User& user = call.who.user;
  return json_reply(
      200, fmt::format(R"({{"id":{},"name":{},"role":"{}","scopes":{}}})", user.id.value,
                       json_quoted(user.name), role_name(user.role), list_of(call.who.scopes)));
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
  for (const ApiKey& key : keys) items.push_back("{" + members_of(key) + "}");
  return list_reply(items, keys.size() == page->limit ? keys.back().id.value : 0);
}

ApiReply add_key(const ApiParts& parts, const Call& call) {
  const auto body = Body::read(call.request.body, {"name", "scopes", "user"});
  if (!body) return std::unexpected{body.error()};
  const auto name = body->text("name");
  if (!name) return std::unexpected{name.error()};
  const auto user = body->number("user");
  if (!user) return std::unexpected{user.error()};
  const bool for_other = *user && **user != call.who.user.id.value;
  if (for_other && !call.who.scopes.has(Scope::admin))
    return std::unexpected{ApiError{403, "not_allowed", "only for yourself"}};
  const auto scopes = read_scopes(*body, call.who.scopes);
  if (!scopes) return std::unexpected{scopes.error()};
  for (int tries = 1;; ++tries) {
    const std::string key = make_api_key();
    const auto added =
        parts.store.access().keys().add({.user = for_other ? UserId{**user} : call.who.user.id,
                                         .name = *name,
                                         .scopes = *scopes,
                                         .prefix = api_key_prefix(key).value_or(""),
                                         .hash = hash_token(key),
                                         .expires_at = {}},
                                        call.now);
    if (!added && added.error().code == "prefix_taken" && tries < kKeyTries) continue;
    if (!added) return std::unexpected{error_of(added.error())};
    audit(parts, call, "KEY_ADDED",
          fmt::format("key {} of user {}", added->id.value, added->user.value));
    return json_reply(201, fmt::format("{{{},\"key\":\"{}\"}}", members_of(*added), key));
  }
}

ApiReply revoke_key(const ApiParts& parts, const Call& call) {
  const auto id = read_number(call.words.front());
  const auto key = id && *id > 0 ? parts.store.access().keys().find(ApiKeyId{*id}) : std::nullopt;
  const bool may = key && (key->user == call.who.user.id || call.who.scopes.has(Scope::admin));
  if (!may) return std::unexpected{ApiError{404, "no_such_key", "there is no such key"}};
  parts.store.access().keys().revoke(key->id, call.now);
  audit(parts, call, "KEY_REVOKED", fmt::format("key {}", key->id.value));
  return WebReply{.status = 204, .headers = {}, .body = {}, .stream = {}};
}

ApiReply list_users(const ApiParts& parts, const Call& call) {
  if (auto error = check_query(call.request, {"limit", "cursor"})) return std::unexpected{*error};
  const auto page = read_page(call.request);
  if (!page) return std::unexpected{page.error()};
  const auto users = parts.store.users().list(UserId{page->cursor}, page->limit);
  std::vector<std::string> items;
  for (const User& user : users) items.push_back(form(user));
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
  audit(parts, call, "USER_ADDED", fmt::format("user {} as {}", user->id.value, role_name(*role)));
  return json_reply(201, form(*user));
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
  if (!password->empty()) {
    const auto hash = hash_password(*password);
    if (!hash) return std::unexpected{wrong_field("password", hash.error().detail)};
    parts.store.access().logins().set_password(*id, *hash, call.now);
    audit(parts, call, "PASSWORD_SET", fmt::format("user {}", id->value));
  }
  const auto user = parts.store.users().set(*id, *status, *role);
  if (!user) return std::unexpected{error_of(user.error())};
  if (*user != *before)
    audit(parts, call, "USER_SET",
          fmt::format("user {}: {}, {}", id->value, role_name(*role), status_name(*status)));
  return json_reply(200, form(*user));
}

ApiReply grant_credits(const ApiParts& parts, const Call& call) {
  const auto id = user_in_path(call);
  if (!id) return std::unexpected{id.error()};
  const auto body = Body::read(call.request.body, {"amount", "detail"});
  if (!body) return std::unexpected{body.error()};
  const auto amount = body->number("amount");
  if (!amount) return std::unexpected{amount.error()};
  if (!*amount) return std::unexpected{wrong_field("amount", "a number is wanted")};
  const auto detail = body->text("detail");
  if (!detail) return std::unexpected{detail.error()};
  const auto wallet = parts.store.ledger().grant(*id, **amount, *detail, call.now);
  if (!wallet) return std::unexpected{error_of(wallet.error())};
  audit(parts, call, "CREDITS_GRANTED", fmt::format("{} to user {}", **amount, id->value));
  return json_reply(200, form(*wallet));
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

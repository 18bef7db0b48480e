// Handlers that open a session, by key or by name and password, and close it.

#include <fmt/core.h>

#include "api/handlers/handlers.h"
#include "api/handlers/login_trail.h"
#include "api/handlers/read_request.h"
#include "api/json/user_json.h"
#include "base/lockout.h"
#include "base/secret.h"

namespace haul::api {
namespace {

constexpr Millis kSessionFor{std::chrono::hours{24 * 14}};
constexpr const char* kNameWaits = "too many failed logins with this name";
constexpr const char* kAddressWaits = "too many logins from this address";

ApiError bad_login() { return {401, "bad_login", "wrong key, name or password"}; }

std::string cookie(const std::string& token, Millis age, const WebRequest& request) {
  const bool over_tls = request.header("x-forwarded-proto") == "https";
  return fmt::format("haul_session={}; Path=/; HttpOnly; SameSite=Strict; Max-Age={}{}", token,
                     std::chrono::duration_cast<std::chrono::seconds>(age).count(),
                     over_tls ? "; Secure" : "");
}

// The session allows no more than the key or password it is opened with.
ApiReply open_session(const ApiParts& parts, const Call& call, const Who& who, LoginBy by) {
  const User& user = who.user;
  const std::string token = random_token(32);
  const auto opened = parts.store.access().sessions().open({.token_hash = hash_token(token),
                                                            .user = user.id,
                                                            .created_at = call.now,
                                                            .expires_at = call.now + kSessionFor,
                                                            .scopes = who.scopes,
                                                            .key = who.by.key});
  if (!opened) return std::unexpected{bad_login()};
  audit_login(parts, user.id, by, call.now);
  WebReply reply = json_reply(200, fmt::format(R"({{"user":{}}})", user_json(user)));
  reply.headers.emplace_back("Set-Cookie", cookie(token, kSessionFor, call.request));
  return reply;
}

// Counts this login as failed until it succeeds. Returns how many have failed in a row with it.
std::expected<int, ApiError> take_try(const ApiParts& parts, const Call& call,
                                      const std::string& name) {
  const auto taken = parts.store.access().logins().take_try(name, call.now);
  if (taken) return *taken;
  ApiError error{429, "locked_out",
                 fmt::format("too many failed logins; try again after {}", to_iso(taken.error()))};
  error.retry_after_s =
      static_cast<int>(std::chrono::ceil<std::chrono::seconds>(taken.error() - call.now).count());
  return std::unexpected{error};
}

ApiReply by_key(const ApiParts& parts, const Call& call, const std::string& key) {
  // A valid key is always accepted, whatever other clients of its address tried.
  if (const auto who = who_has_key(parts.store, key, call.now))
    return open_session(parts, call, *who, LoginBy::key);
  if (auto error = refuse_key(parts, call.request)) return std::unexpected{*error};
  return std::unexpected{bad_login()};
}

ApiReply by_password(const ApiParts& parts, const Call& call, const std::string& name,
                     const std::string& password) {
  const std::string from = address_group(call.request.peer);
  const auto user = parts.store.users().find(name);
  const LoginTry attempt{
      .peer = call.request.peer, .by = LoginBy::password, .user = user ? user->id : UserId{}};
  if (auto error = spend(parts.doors->passwords, from, parts.clock.steady())) {
    tell_locked_out(parts, attempt, kAddressWaits);
    return std::unexpected{*error};
  }
  const auto taken = take_try(parts, call, name);
  if (!taken) {
    tell_locked_out(parts, attempt, kNameWaits);
    return std::unexpected{taken.error()};
  }
  const auto hash = user ? parts.store.access().logins().password(user->id) : std::nullopt;
  const bool right = hash ? verify_password(*hash, password) : verify_no_password(password);
  if (!user || !right) {
    parts.store.access().logins().failed(name, call.now);
    tell_failed(parts, attempt);
    if (lockout_after(*taken) > Millis{0}) tell_locked_out(parts, attempt, kNameWaits);
    return std::unexpected{bad_login()};
  }
  parts.store.access().logins().succeeded(name);
  parts.doors->passwords.give_back(from, parts.clock.steady());
  return open_session(parts, call, {.user = *user, .scopes = Scopes::all(), .by = {}},
                      LoginBy::password);
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
    return std::unexpected{ApiError{400, "missing_field", "expected key, or name and password"}};
  return by_password(parts, call, *name, *password);
}

ApiReply log_out(const ApiParts& parts, const Call& call) {
  if (!call.who.by.session.empty()) parts.store.access().sessions().close(call.who.by.session);
  parts.live.check_access();
  return WebReply{.status = 204,
                  .headers = {{"Set-Cookie", cookie("", Millis{0}, call.request)}},
                  .body = {},
                  .stream = {}};
}

}  // namespace handle
}  // namespace haul::api

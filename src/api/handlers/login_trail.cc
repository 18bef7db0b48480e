#include "api/handlers/login_trail.h"

#include <fmt/core.h>

namespace haul::api {
namespace {

std::string_view name(LoginBy by) { return by == LoginBy::key ? "key" : "password"; }

// Counts each event separately, so that a flood of one leaves room for the other.
bool may_tell(const ApiParts& parts, std::string_view event, const std::string& peer) {
  const std::string counted_as = fmt::format("{} {}", event, address_group(peer));
  return !parts.doors->told.spend(counted_as, parts.clock.steady());
}

void tell(const ApiParts& parts, std::string_view event, const LoginTry& about,
          std::string_view why) {
  if (!may_tell(parts, event, about.peer)) return;
  Notice notice{.level = Level::warning,
                .event = event,
                .fields = {{"address", about.peer}, {"by", std::string{name(about.by)}}}};
  if (about.user) notice.fields.emplace_back("user", std::to_string(about.user.value));
  if (!why.empty()) notice.fields.emplace_back("reason", std::string{why});
  say(parts, notice);
}

}  // namespace

void tell_failed(const ApiParts& parts, const LoginTry& failed) {
  tell(parts, "login_failed", failed, {});
}

void tell_locked_out(const ApiParts& parts, const LoginTry& refused, std::string_view why) {
  tell(parts, "locked_out", refused, why);
}

std::optional<ApiError> refuse_key(const ApiParts& parts, const WebRequest& request) {
  const LoginTry attempt{.peer = request.peer, .by = LoginBy::key};
  auto error = spend(parts.doors->wrong_keys, address_group(request.peer), parts.clock.steady());
  if (error)
    tell_locked_out(parts, attempt, "too many wrong keys from this address");
  else
    tell_failed(parts, attempt);
  return error;
}

void audit_login(const ApiParts& parts, UserId user, LoginBy by, Time now) {
  parts.store.ledger().audit(user, {}, "LOGGED_IN",
                             fmt::format("user {} by {}", user.value, name(by)), now);
}

}  // namespace haul::api

#include "api/api.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "api/fault_of.h"
#include "api/front.h"
#include "api/handlers.h"
#include "base/secret.h"

namespace haul {
namespace {

constexpr const char* kCookie = "haul_session";
constexpr std::size_t kBucketsMax = 10'000;
constexpr double kWrongKeysBurst = 20;  // So many at once from one address,
constexpr double kWrongKeysRate = 1;    // then so many a second.
constexpr double kAsksBurst = 2'000;    // Of one user who is no admin,
constexpr double kAsksRate = 500;       // a second.

constexpr const char* kPolicy =
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src "
    "'self'; object-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";

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

bool may(const Who& who, Need need) {
  switch (need) {
    case Need::nobody:
      return true;
    case Need::key:
      return static_cast<bool>(who.user.id);
    case Need::read:
      return who.scopes.has(Scope::read);
    case Need::add:
      return who.scopes.has(Scope::add);
    case Need::operate:
      return who.scopes.has(Scope::operate);
    case Need::admin:
      return who.scopes.has(Scope::admin);
  }
  return false;
}

void harden(WebReply& reply, const std::string& correlation) {
  for (const auto& [name, value] : std::initializer_list<std::pair<const char*, const char*>>{
           {"X-Content-Type-Options", "nosniff"},
           {"Referrer-Policy", "no-referrer"},
           {"Content-Security-Policy", kPolicy},
           {"Cross-Origin-Opener-Policy", "same-origin"},
           {"Cross-Origin-Resource-Policy", "same-origin"}})
    reply.headers.emplace_back(name, value);
  if (!correlation.empty()) reply.headers.emplace_back("X-Correlation-Id", correlation);
}

std::optional<ApiError> check_body(const WebRequest& request) {
  if (request.body.empty() || is_json(request.header("content-type"))) return std::nullopt;
  return ApiError{415, "not_json", "Content-Type: application/json is wanted"};
}

}  // namespace

Api::Api(ApiParts parts) : parts_{std::move(parts)}, run_{random_base62(8)} {}

WebReply Api::refuse(int status, std::string_view detail) {
  WebReply reply = error_reply({status, "refused", std::string{detail}});
  harden(reply, "");
  return reply;
}

WebReply Api::answer(const WebRequest& request) {
  const Steady began = parts_.clock.steady();
  ApiReply reply;
  if (auto error = fault_of([&] { reply = run(request); })) reply = std::unexpected{*error};
  return finished(request, std::move(reply), began);
}

bool Api::is_add(const WebRequest& request) {
  return request.method == "POST" &&
         std::ranges::equal(request.target.segments, std::array{"api", "v1", "jobs"});
}

WebReply Api::finished(const WebRequest& request, ApiReply reply, Steady began) {
  const std::string correlation = correlation_of(request, fmt::format("{}-{}", run_, ++answered_));
  if (!reply) {
    ApiError error = reply.error();
    error.more +=
        fmt::format("{}\"correlation_id\":\"{}\"", error.more.empty() ? "" : ",", correlation);
    WebReply refused = error_reply(error);
    if (error.status == 401) refused.headers.emplace_back("WWW-Authenticate", "Bearer");
    if (error.status == 503 || error.status == 429)
      refused.headers.emplace_back("Retry-After", std::to_string(std::max(error.retry_after_s, 1)));
    reply = std::move(refused);
  }
  harden(*reply, correlation);
  parts_.meter.answers_ms.see((parts_.clock.steady() - began).count());
  return *std::move(reply);
}

ApiReply Api::run(const WebRequest& request) {
  const auto admitted = admit(request, std::nullopt);
  if (!admitted) return admitted.error();
  return admitted->route->handler(parts_, admitted->call);
}

std::expected<Api::Admitted, ApiReply> Api::admit(const WebRequest& request,
                                                  std::optional<Who> known) {
  const auto refused = [](ApiError error) {
    return std::unexpected{ApiReply{std::unexpected{std::move(error)}}};
  };
  if (!is_our_host(request.header("host"), parts_.allowed_hosts))
    return refused({421, "wrong_host", "this Host is not served here"});
  if (has_key_in_query(request))
    return refused({400, "key_in_query", "a key belongs into a header"});
  Found found = find_route(request.method, request.target);
  if (!found.route && found.allow.empty())
    return refused({404, "no_such_path", "there is nothing here"});
  if (!found.route) {
    WebReply reply = error_reply({405, "wrong_method", "not by this method"});
    reply.headers.emplace_back("Allow", found.allow);
    return std::unexpected{ApiReply{std::move(reply)}};
  }
  const Time now = parts_.clock.now();
  Who who;
  if (found.route->need != Need::nobody) {
    auto asking = known ? std::expected<Who, ApiError>{*std::move(known)} : identify(request, now);
    if (!asking) return refused(asking.error());
    who = *std::move(asking);
    if (!may(who, found.route->need))
      return refused({403, "not_allowed", fmt::format("this needs '{}'", name(found.route->need))});
    if (!who.scopes.has(Scope::admin))
      if (auto error = spend(fmt::format("user {}", who.user.id.value), kAsksRate, kAsksBurst))
        return refused(*std::move(error));
  } else if (!is_harmless(request.method) && !is_same_site(request)) {
    return refused({403, "cross_site", "not from another site's page"});
  }
  if (auto error = check_body(request)) return refused(*std::move(error));
  return Admitted{
      found.route,
      Call{.request = request, .words = std::move(found.words), .who = std::move(who), .now = now}};
}

std::expected<Who, ApiError> Api::identify(const WebRequest& request, Time now) {
  const std::string from = "wrong keys from " + request.peer;
  Access& access = parts_.store.access();
  if (const auto key = key_of(request)) {
    const auto prefix = api_key_prefix(*key);
    const auto live = prefix ? access.keys().live(*prefix, now) : std::nullopt;
    if (live && is_same_secret(live->hash, hash_token(*key))) {
      access.keys().touch(live->key.id, now);
      return Who{.user = live->user, .scopes = both(scopes_of(live->user.role), live->key.scopes)};
    }
    if (auto error = spend(from, kWrongKeysRate, kWrongKeysBurst)) return std::unexpected{*error};
    return std::unexpected{ApiError{401, "bad_key", "this key opens nothing"}};
  }
  const std::string_view token = cookie_of(request, kCookie);
  if (token.empty())
    return std::unexpected{ApiError{401, "not_logged_in", "a key or a session is wanted"}};
  if (!may_use_cookie(request))
    return std::unexpected{ApiError{403, "cross_site", "not from another site's page"}};
  const std::string hash = hash_token(token);
  const auto live = access.sessions().find(hash, now);
  if (!live) return std::unexpected{ApiError{401, "not_logged_in", "the session is over"}};
  return Who{
      .user = live->user, .scopes = scopes_of(live->user.role), .by_cookie = true, .session = hash};
}

std::optional<ApiError> Api::spend(const std::string& bucket, double rate, double burst) {
  const Steady now = parts_.clock.steady();
  const Lock lock{mutex_};
  if (buckets_.size() >= kBucketsMax) buckets_.clear();
  const auto [found, is_new] = buckets_.try_emplace(bucket, Bucket{burst, now});
  Bucket& mine = found->second;
  const double passed = std::chrono::duration<double>(now - mine.filled).count();
  mine.tokens = std::min(burst, mine.tokens + passed * rate);
  mine.filled = now;
  if (mine.tokens < 1) return ApiError{429, "too_many_requests", "too many; wait a moment"};
  mine.tokens -= 1;
  return std::nullopt;
}

}  // namespace haul

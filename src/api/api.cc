#include "api/api.h"

#include <fmt/core.h>

#include <algorithm>

#include "api/add/add_transaction.h"
#include "api/fault_of.h"
#include "api/handlers/handlers.h"
#include "api/handlers/login_trail.h"
#include "api/request_checks.h"
#include "base/ensure.h"
#include "base/redact.h"
#include "base/secret.h"

namespace haul::api {
namespace {

constexpr const char* kCookie = "haul_session";

// With the origin of images in its middle, after a blank.
constexpr std::string_view kPolicy =
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:{}; connect-src "
    "'self'; object-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";

bool may(const Who& who, Need need) {
  switch (need) {
    case Need::none:
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

void harden(WebReply& reply, const std::string& correlation, const std::string& image_origin) {
  const std::string images = image_origin.empty() ? "" : " " + image_origin;
  reply.headers.emplace_back("Content-Security-Policy", fmt::format(kPolicy, images));
  for (const auto& [name, value] : std::initializer_list<std::pair<const char*, const char*>>{
           {"X-Content-Type-Options", "nosniff"},
           {"Referrer-Policy", "no-referrer"},
           {"Cross-Origin-Opener-Policy", "same-origin"},
           {"Cross-Origin-Resource-Policy", "same-origin"}})
    reply.headers.emplace_back(name, value);
  if (!correlation.empty()) reply.headers.emplace_back("X-Correlation-Id", correlation);
}

std::string path_of(const WebRequest& request) {
  std::string path;
  for (const std::string& segment : request.target.segments) path += "/" + segment;
  return path;
}

std::string counted_as(const Who& who) { return std::to_string(who.user.id.value); }

// Admins have no limit, so that they can always repair the daemon.
bool is_counted(const Who& who) { return who.user.id && !who.scopes.has(Scope::admin); }

Notice failure_of(const WebRequest& request, const std::string& correlation,
                  const std::string& cause) {
  const Found found = find_route(request.method, request.target);
  const std::string route{found.route ? found.route->pattern : "none"};
  return {.level = Level::error,
          .event = "request_failed",
          .fields = {{"correlation_id", correlation},
                     {"route", request.method + " " + route},
                     {"detail", safe_detail(cause)}}};
}

std::optional<ApiError> check_body(const WebRequest& request) {
  if (request.body.empty() || is_json(request.header("content-type"))) return std::nullopt;
  return ApiError{415, "not_json", "Content-Type must be application/json"};
}

}  // namespace

Api::Api(ApiParts parts) : parts_{std::move(parts)}, run_{random_base62(8)} {
  parts_.doors = &doors_;
}

WebReply Api::refuse(int status, std::string_view detail) {
  WebReply reply = error_reply({status, "refused", std::string{detail}});
  if (status == 503 || status == 429) reply.headers.emplace_back("Retry-After", "1");
  harden(reply, "", "");
  return reply;
}

WebReply Api::answer(const WebRequest& request) {
  if (is_add(request)) return AddTransaction::answer_alone(*this, request);
  const Steady began = parts_.clock.steady();
  ApiReply reply;
  if (auto error = fault_of([&] { reply = run(request); })) reply = std::unexpected{*error};
  return finished(request, std::move(reply), began);
}

bool Api::is_add(const WebRequest& request) {
  if (is_harmless(request.method)) return false;
  const Found found = find_route(request.method, request.target);
  return found.route && found.route->groups;
}

bool Api::hashes_password(const WebRequest& request) {
  if (is_harmless(request.method)) return false;
  const Found found = find_route(request.method, request.target);
  return found.route && found.route->hashes;
}

WebReply Api::admit_head(const WebRequest& head) {
  const Steady began = parts_.clock.steady();
  ApiReply refusal = WebReply{.status = 100, .headers = {}, .body = {}, .stream = {}};
  if (auto error = fault_of([&] {
        const auto admitted = admit(head, std::nullopt);
        if (!admitted)
          refusal = admitted.error();
        else if (is_counted(admitted->call.who))  // The whole request is counted later.
          doors_.requests.give_back(counted_as(admitted->call.who), began);
      }))
    refusal = std::unexpected{*error};
  if (refusal && refusal->status == 100) return *std::move(refusal);
  return finished(head, std::move(refusal), began);
}

WebReply Api::finished(const WebRequest& request, ApiReply reply, Steady began) {
  const std::string correlation = correlation_of(request, fmt::format("{}-{}", run_, ++answered_));
  if (!reply) {
    ApiError error = reply.error();
    if (error.status == 500) say(parts_, failure_of(request, correlation, error.cause));
    error.more +=
        fmt::format("{}\"correlation_id\":\"{}\"", error.more.empty() ? "" : ",", correlation);
    WebReply refused = error_reply(error);
    if (error.status == 401) refused.headers.emplace_back("WWW-Authenticate", "Bearer");
    if (error.status == 503 || error.status == 429)
      refused.headers.emplace_back("Retry-After", std::to_string(std::max(error.retry_after_s, 1)));
    reply = std::move(refused);
  }
  harden(*reply, correlation, parts_.image_origin);
  parts_.meter.answers_ms.see((parts_.clock.steady() - began).count());
  return *std::move(reply);
}

ApiReply Api::run(const WebRequest& request) {
  auto admitted = admit(request, std::nullopt);
  if (!admitted) return admitted.error();
  std::vector<Touched> touched;
  admitted->call.touched = &touched;
  ensure(!admitted->route->groups, "an AddTransaction answers a route that groups");
  ApiReply reply = admitted->route->handler(parts_, admitted->call);
  if (reply) write_audit(*admitted->route, admitted->call, touched);
  return reply;
}

void Api::write_audit(const Route& route, const Call& call, const std::vector<Touched>& touched) {
  const UserId user = call.who.user.id;
  std::vector<NewAudit> entries;
  for (const Touched& each : touched) {
    const bool is_others = route.audit == Audit::of_others && each.owner != user;
    if (route.audit != Audit::always && !is_others) continue;
    const std::string_view action = each.action.empty() ? route.action : each.action;
    entries.push_back({user, each.job, std::string{action}, each.detail});
  }
  if (route.audit == Audit::always && touched.empty())
    entries.push_back({user, {}, std::string{route.action}, path_of(call.request)});
  if (!entries.empty()) parts_.store.ledger().audit(entries, call.now);
}

std::expected<Api::Admitted, ApiReply> Api::admit(const WebRequest& request,
                                                  std::optional<Who> known) {
  const auto refused = [](ApiError error) {
    return std::unexpected{ApiReply{std::unexpected{std::move(error)}}};
  };
  if (!is_our_host(request.header("host"), parts_.allowed_hosts))
    return refused({421, "wrong_host", "this Host is not in server.allowed_hosts"});
  if (has_key_in_query(request))
    return refused({400, "key_in_query", "send the key in a header, not in the URL"});
  Found found = find_route(request.method, request.target);
  if (!found.route && found.allow.empty()) return refused({404, "no_such_path", "no such path"});
  if (!found.route) {
    WebReply reply = error_reply({405, "wrong_method", "this path does not support the method"});
    reply.headers.emplace_back("Allow", found.allow);
    return std::unexpected{ApiReply{std::move(reply)}};
  }
  const Time now = parts_.clock.now();
  Who who;
  if (found.route->need != Need::none) {
    auto asking = known ? std::expected<Who, ApiError>{*std::move(known)} : identify(request, now);
    if (!asking) return refused(asking.error());
    who = *std::move(asking);
    if (!may(who, found.route->need))
      return refused(
          {403, "not_allowed", fmt::format("the scope '{}' is required", name(found.route->need))});
    if (is_counted(who))
      if (auto error = spend(doors_.requests, counted_as(who), parts_.clock.steady()))
        return refused(*std::move(error));
  } else if (!is_harmless(request.method) && !is_same_site(request)) {
    return refused({403, "cross_site", "haul refuses requests from other sites"});
  }
  if (auto error = check_body(request)) return refused(*std::move(error));
  return Admitted{
      found.route,
      Call{.request = request, .words = std::move(found.words), .who = std::move(who), .now = now}};
}

std::expected<Who, ApiError> Api::identify(const WebRequest& request, Time now) {
  if (const auto key = key_of(request)) {
    if (auto who = who_has_key(parts_.store, *key, now)) {
      parts_.store.access().keys().touch(who->by.key, now);
      return *std::move(who);
    }
    if (auto error = refuse_key(parts_, request)) return std::unexpected{*error};
    return std::unexpected{ApiError{401, "bad_key", "unknown or revoked API key"}};
  }
  const std::string_view token = cookie_of(request, kCookie);
  if (token.empty())
    return std::unexpected{ApiError{401, "not_logged_in", "an API key or a login is required"}};
  if (!may_use_cookie(request))
    return std::unexpected{ApiError{403, "cross_site", "haul refuses requests from other sites"}};
  auto who = who_has_session(parts_.store, hash_token(token), now);
  if (!who)
    return std::unexpected{ApiError{401, "not_logged_in", "the session has ended; log in again"}};
  return *std::move(who);
}

}  // namespace haul::api

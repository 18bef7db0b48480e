#include "sink/server/calls.h"

#include <fmt/core.h>

#include <memory>
#include <utility>

#include "base/ensure.h"

namespace haul::media_server {
namespace {

constexpr int kAtOnce = 4;
constexpr std::size_t kWaitingMax = 1'000;
constexpr Millis kConnectTimeout{5'000};
constexpr Millis kHeadTimeout{15'000};
constexpr Millis kWithin{30'000};

Fault environment(std::string code, std::string detail) {
  return {FaultKind::environment, std::move(code), std::move(detail)};
}

ServerAccess without_slash(ServerAccess access) {
  while (access.url.ends_with('/')) access.url.pop_back();
  return access;
}

io::HttpRequest request_for(const ServerAccess& access, const ServerCall& call) {
  io::HttpRequest request{.method = call.method,
                          .url = access.url + call.target,
                          .headers = call.headers,
                          .body = call.body,
                          .user_agent = access.user_agent,
                          .direct = true,
                          .ca_file = access.ca_file,
                          .connect_timeout = kConnectTimeout,
                          .head_timeout = kHeadTimeout,
                          .stall_timeout = kHeadTimeout,
                          .reach = {.private_too = true, .allowed = {}}};
  if (call.method == "POST") {
    request.headers.emplace_back("Content-Type: application/json");
    // Otherwise curl waits a second before it sends a long body.
    request.headers.emplace_back("Expect:");
  }
  return request;
}

}  // namespace

ServerCalls::ServerCalls(io::HttpLoop& loop, ServerAccess access)
    : access_{without_slash(std::move(access))}, fetcher_{loop} {}

void ServerCalls::ask(ServerCall call, Then then) {
  ensure(call.target.starts_with('/'), "a request to a media server has a path");
  if (queue_.size() >= kWaitingMax)
    return then(
        std::unexpected{Fault{FaultKind::retryable, "server_busy",
                              fmt::format("too many requests to {} are waiting", access_.name)}});
  queue_.push_back({std::move(call), std::move(then)});
  pump();
}

void ServerCalls::pump() {
  while (running_ < kAtOnce && !queue_.empty()) {
    WaitingCall next = std::move(queue_.front());
    queue_.pop_front();
    send(std::move(next));
  }
}

void ServerCalls::send(WaitingCall waiting) {
  ++running_;
  const io::HttpBounds bounds{.body_max = waiting.call.body_max, .within = kWithin};
  fetcher_.fetch(request_for(access_, waiting.call), bounds,
                 [this, then = std::move(waiting.then),
                  not_found = waiting.call.not_found](Result<io::HttpWhole> answer) {
                   --running_;
                   Result<std::string> body = judge(std::move(answer), not_found);
                   tell_trouble(body || body.error().code == kTooLong ? nullptr : &body.error());
                   then(std::move(body));
                   pump();
                 });
}

Result<std::string> ServerCalls::judge(Result<io::HttpWhole> answer,
                                       const std::string& not_found) const {
  if (!answer) {
    const Fault& fault = answer.error();
    if (fault.code == kTooLong)
      return std::unexpected{
          Fault{FaultKind::retryable, kTooLong, access_.name + "'s answer is too long"}};
    return std::unexpected{environment(
        "server_unreachable",
        fmt::format("{} ({}): {}: {}", access_.name, access_.url, fault.code, fault.detail))};
  }
  if (answer->head.status == 404 && !not_found.empty())
    return std::unexpected{
        Fault{FaultKind::permanent, not_found, fmt::format("{} answered 404", access_.name)}};
  if (const auto fault = fault_of_status(access_, answer->head.status))
    return std::unexpected{*fault};
  return std::move(answer->body);
}

void ServerCalls::tell_trouble(const Fault* fault) {
  const std::string code = fault ? fault->code : std::string{};
  if (std::exchange(trouble_, code) == code) return;
  if (access_.on_trouble) access_.on_trouble(fault);
}

std::optional<Fault> fault_of_status(const ServerAccess& access, int status) {
  if (status >= 200 && status < 300) return std::nullopt;
  if (status == 401 || status == 403)
    return environment("server_refused_token", fmt::format("{} answered {}: check {}", access.name,
                                                           status, access.token_setting));
  if (status == 503)
    return environment("server_unreachable",
                       fmt::format("{} answered 503: it is still starting", access.name));
  if (status >= 500 || status == 408 || status == 429)
    return environment("server_unreachable", fmt::format("{} answered {}", access.name, status));
  if (status >= 300 && status < 400)
    return server_garbage(
        access.name, fmt::format("a redirect ({}), which haul does not follow: check {}", status,
                                 access.url_setting));
  return server_garbage(access.name, fmt::format("{}: check {}", status, access.url_setting));
}

Fault server_garbage(std::string_view name, std::string_view what) {
  return {FaultKind::retryable, "server_garbage", fmt::format("{} answered with {}", name, what)};
}

Fault as_told_outside(const Fault& fault) {
  if (fault.code != kTooLong) return fault;
  return {fault.kind, "server_garbage", fault.detail};
}

}  // namespace haul::media_server

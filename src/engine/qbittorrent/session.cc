#include "engine/qbittorrent/session.h"

#include <fmt/core.h>

#include <utility>

#include "base/ascii.h"
#include "base/text.h"

namespace haul::qbittorrent {
namespace {

constexpr int kAtOnce = 4;  // The client answers requests one after the other anyway.
constexpr std::size_t kWaitingMax = 2'000;
constexpr std::size_t kCookiesMax = 20;
constexpr std::size_t kShortMax = 65'536;
constexpr std::size_t kListMax = std::size_t{32} << 20U;
constexpr Millis kBanWait{600'000};
constexpr Millis kHeadTimeout{15'000};
constexpr Millis kWithin{30'000};

Fault environment(std::string code, std::string detail) {
  return {FaultKind::environment, std::move(code), std::move(detail)};
}

Fault unreachable(const Fault& fault) {
  if (fault.code == "too_long")
    return {FaultKind::retryable, "client_garbage", "qBittorrent's answer is too long"};
  return {FaultKind::retryable, "client_unreachable",
          fmt::format("{}: {}", fault.code, fault.detail)};
}

Fault not_let_in(int status) {
  return environment("client_not_let_in",
                     status == 401
                         ? "qBittorrent answered 401: check its Host header validation"
                         : "qBittorrent answered 403: set username and password, or api_key");
}

// A reverse proxy answers so while the client is off, or the client fails itself.
bool is_away(int status) { return status >= 500; }

}  // namespace

WebApiSession::WebApiSession(io::HttpLoop& loop, const Clock& clock,
                             const QbittorrentSettings& settings)
    : loop_{loop}, clock_{clock}, settings_{settings}, fetcher_{loop} {}

void WebApiSession::ask(WebApiCall call, Then then) {
  if (refused_) return then(std::unexpected{*refused_});
  if (held_off_ && clock_.steady() < held_until_) return then(std::unexpected{*held_off_});
  if (queue_.size() >= kWaitingMax)
    return then(std::unexpected{Fault{FaultKind::retryable, "client_busy",
                                      "too many requests to qBittorrent are waiting"}});
  queue_.push_back({.call = std::move(call), .then = std::move(then)});
  pump();
}

bool WebApiSession::is_settling() const { return settled_at_ && clock_.steady() < *settled_at_; }

void WebApiSession::pump() {
  if (entering_) return;
  if (!ready_) {
    if (!queue_.empty()) log_in();
    return;
  }
  while (running_ < kAtOnce && !queue_.empty()) {
    Waiting next = std::move(queue_.front());
    queue_.pop_front();
    send(std::move(next));
  }
}

io::HttpRequest WebApiSession::request_for(const WebApiCall& call) const {
  io::HttpRequest request{.url = fmt::format("{}/api/v2/{}", settings_.url, call.action),
                          .user_agent = settings_.user_agent,
                          .direct = true,
                          .ca_file = settings_.ca_file,
                          .connect_timeout = Millis{5'000},
                          .head_timeout = kHeadTimeout,
                          .stall_timeout = kHeadTimeout,
                          .reach = {.private_too = true, .allowed = {}}};
  if (call.acts) {
    request.method = "POST";
    request.body = call.body.empty() ? query_text(call.query) : call.body;
    request.headers.push_back(
        "Content-Type: " + (call.type.empty() ? "application/x-www-form-urlencoded" : call.type));
    // Otherwise curl waits a second before it sends a long body.
    request.headers.emplace_back("Expect:");
  } else if (!call.query.empty()) {
    request.url += "?" + query_text(call.query);
  }
  if (!settings_.api_key.empty())
    request.headers.push_back("Authorization: Bearer " + settings_.api_key);
  if (!cookies_.empty()) request.headers.push_back("Cookie: " + cookies());
  return request;
}

io::HttpBounds WebApiSession::bounds_for(const WebApiCall& call) const {
  const bool is_list = call.action == "torrents/info" || call.action == "torrents/files";
  return {.body_max = is_list ? kListMax : kShortMax, .within = kWithin};
}

std::string WebApiSession::cookies() const {
  std::string all;
  for (const auto& [name, pair] : cookies_) all.append(all.empty() ? "" : "; ").append(pair);
  return all;
}

void WebApiSession::take_cookies(const io::HttpHead& head) {
  for (const auto& [header, value] : head.headers) {
    if (header != "set-cookie") continue;
    const std::string pair = cookie_pair(value);
    if (pair.empty()) continue;
    const std::string name = pair.substr(0, pair.find('='));
    const auto known = cookies_.find(name);
    if (known != cookies_.end() || cookies_.size() < kCookiesMax) cookies_[name] = pair;
  }
}

void WebApiSession::send(Waiting waiting) {
  ++running_;
  const io::HttpRequest request = request_for(waiting.call);
  const io::HttpBounds bounds = bounds_for(waiting.call);
  fetcher_.fetch(
      request, bounds,
      [this, generation = generation_,
       held = std::make_shared<Waiting>(std::move(waiting))](Result<io::HttpWhole> answer) {
        --running_;
        see(std::move(*held), generation, std::move(answer));
        pump();
      });
}

void WebApiSession::see(Waiting waiting, int generation, Result<io::HttpWhole> answer) {
  if (!answer) {
    const Fault fault = unreachable(answer.error());
    was_away_ = was_away_ || fault.code == "client_unreachable";
    tell_trouble(&fault);
    return waiting.then(std::unexpected{fault});
  }
  const int status = answer->head.status;
  if (is_away(status))
    was_away_ = true;
  else if (std::exchange(was_away_, false))
    came_back();
  if (status == 403 && has_login() && !waiting.again) {
    // Z-1: the client forgot the session. That says nothing about its torrents.
    if (generation == generation_) ready_ = false;
    waiting.again = true;
    queue_.push_front(std::move(waiting));
    return;
  }
  if (status == 401 || status == 403) {
    const Fault fault = not_let_in(status);
    tell_trouble(&fault);
    return waiting.then(std::unexpected{fault});
  }
  take_cookies(answer->head);
  tell_trouble(nullptr);
  waiting.then(WebApiReply{status, std::move(answer->body)});
}

void WebApiSession::log_in() {
  entering_ = true;
  if (!has_login()) return ask_version();
  cookies_.clear();
  const WebApiCall call{
      .action = "auth/login",
      .query = {{"username", settings_.username}, {"password", settings_.password}},
      .acts = true};
  fetcher_.fetch(request_for(call), bounds_for(call),
                 [this](Result<io::HttpWhole> answer) { see_login(std::move(answer)); });
}

void WebApiSession::see_login(Result<io::HttpWhole> answer) {
  if (!answer) {
    was_away_ = true;
    return turn_away(unreachable(answer.error()));
  }
  was_away_ = was_away_ || is_away(answer->head.status);
  switch (judge_login(answer->head.status, answer->body)) {
    case LoginReply::in:
      take_cookies(answer->head);
      return ask_version();
    case LoginReply::wrong:
      refused_ = environment("client_refused_login",
                             "username or password is wrong; haul does not retry, because five "
                             "failures cause a ban. Correct the configuration and restart haul");
      return turn_away(*refused_);
    case LoginReply::banned:
      held_off_ = environment("client_banned",
                              "qBittorrent banned this address after wrong passwords; restart "
                              "qBittorrent, or wait");
      held_until_ = clock_.steady() + kBanWait;
      return turn_away(*held_off_);
    case LoginReply::odd:
      return turn_away(environment(
          "client_unknown",
          fmt::format("the login was answered with {}; check that engine.qbittorrent.url is "
                      "qBittorrent's Web UI",
                      answer->head.status)));
  }
}

void WebApiSession::ask_version() {
  const WebApiCall call{.action = "app/webapiVersion"};
  fetcher_.fetch(request_for(call), bounds_for(call),
                 [this](Result<io::HttpWhole> answer) { see_version(std::move(answer)); });
}

void WebApiSession::see_version(Result<io::HttpWhole> answer) {
  if (!answer) {
    was_away_ = true;
    return turn_away(unreachable(answer.error()));
  }
  const int status = answer->head.status;
  if (status == 401 || status == 403) {
    const Fault fault = not_let_in(status);
    if (!settings_.api_key.empty()) refused_ = fault;
    return turn_away(fault);
  }
  if (is_away(status)) {
    was_away_ = true;
    return turn_away({FaultKind::retryable, "client_unreachable",
                      fmt::format("qBittorrent answered {}", status)});
  }
  const auto version = read_version(status == 200 ? answer->body : "");
  if (!version) return turn_away(version.error());
  if (*version < kOldestVersion)
    return turn_away(
        environment("client_too_old",
                    fmt::format("Web API {} is too old (expected {} or later, qBittorrent 4.4)",
                                version->text(), kOldestVersion.text())));
  take_cookies(answer->head);
  if (std::exchange(was_away_, false)) came_back();
  version_ = *version;
  ++generation_;
  ready_ = true;
  entering_ = false;
  tell_trouble(nullptr);
  pump();
}

void WebApiSession::turn_away(const Fault& fault) {
  entering_ = false;
  ready_ = false;
  tell_trouble(&fault);
  for (const Waiting& waiting : std::exchange(queue_, {})) waiting.then(std::unexpected{fault});
  pump();
}

void WebApiSession::came_back() { settled_at_ = clock_.steady() + settings_.settle; }

void WebApiSession::tell_trouble(const Fault* fault) {
  const std::string code = fault ? fault->code : std::string{};
  if (std::exchange(trouble_, code) == code) return;
  if (settings_.on_trouble) settings_.on_trouble(fault);
}

}  // namespace haul::qbittorrent

#pragma once
// Talks to one qBittorrent. Logs in once, sends back the cookies it was given, and logs in again if
// the client forgets the session. Never retries a refused login, because five wrong passwords cause
// a ban. Lives on the loop's thread.

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/query.h"
#include "engine/qbittorrent/replies.h"
#include "engine/qbittorrent/settings.h"
#include "io/web/http_fetcher.h"

namespace haul::qbittorrent {

struct WebApiCall {
  std::string action;  // "torrents/info"
  // Of a GET, or the form in the body of a POST: the client reads no query of a POST.
  QueryFields query{};
  bool acts = false;   // Changes something in the client, so it is a POST.
  std::string body{};  // Of a POST that is no plain form.
  std::string type{};  // Content type of that body.
};

struct WebApiReply {
  int status = 0;
  std::string body;
};

class WebApiSession {
 public:
  using Then = std::function<void(Result<WebApiReply>)>;

  WebApiSession(io::HttpLoop& loop, const Clock& clock, const QbittorrentSettings& settings);

  // Passes on every answer but 401 and 403 as it is. Faults: `client_unreachable`,
  // `client_garbage`, `client_busy` (retryable); `client_refused_login`, `client_banned`,
  // `client_not_let_in`, `client_unknown`, `client_too_old` (environment: only an operator can fix
  // them).
  void ask(WebApiCall call, Then then);

  // Z-1: the client was unreachable recently, so a torrent that it does not list may still exist.
  bool is_settling() const;
  const std::optional<ApiVersion>& version() const { return version_; }

 private:
  struct Waiting {
    WebApiCall call;
    Then then;
    bool again = false;  // Sent before, and the client answered 403.
  };

  void pump();
  void send(Waiting waiting);
  void see(Waiting waiting, int generation, Result<io::HttpWhole> answer);
  io::HttpRequest request_for(const WebApiCall& call) const;
  io::HttpBounds bounds_for(const WebApiCall& call) const;
  void take_cookies(const io::HttpHead& head);
  std::string cookies() const;

  void log_in();
  void see_login(Result<io::HttpWhole> answer);
  void ask_version();
  void see_version(Result<io::HttpWhole> answer);
  bool has_login() const { return settings_.api_key.empty() && !settings_.username.empty(); }

  // The login failed: fails all calls that wait.
  void turn_away(const Fault& fault);
  void came_back();
  void tell_trouble(const Fault* fault);

  io::HttpLoop& loop_;
  const Clock& clock_;
  const QbittorrentSettings& settings_;
  io::HttpFetcher fetcher_;

  std::deque<Waiting> queue_;
  int running_ = 0;
  int generation_ = 0;  // Counts logins.
  bool ready_ = false;
  bool entering_ = false;
  std::map<std::string, std::string> cookies_;  // By name, each as the pair received.
  std::optional<ApiVersion> version_;
  std::optional<Fault> refused_;   // Permanent: only an operator can fix it.
  std::optional<Fault> held_off_;  // Until held_until_.
  Steady held_until_;
  bool was_away_ = false;
  std::optional<Steady> settled_at_;
  std::string trouble_;  // The code last passed to on_trouble.
};

}  // namespace haul::qbittorrent

#pragma once
// Talks to one qBittorrent: logs in once, replays whatever cookie it was given, logs in once more
// when it is forgotten, and stops at once where it is not wanted, because five wrong passwords are
// a ban. Lives on the loop's thread.

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "base/clock.h"
#include "engine/qbittorrent/form.h"
#include "engine/qbittorrent/replies.h"
#include "engine/qbittorrent/settings.h"
#include "io/http_asker.h"

namespace haul {

struct ClientCall {
  std::string action;  // "torrents/info"
  FormFields query{};  // Of a question,
  bool acts = false;   // or the body of an act, which is a POST.
  std::string body{};  // Of an act that is no plain form,
  std::string type{};  // and its type.
};

struct ClientAnswer {
  int status = 0;
  std::string body;
};

class ClientSession {
 public:
  using Then = std::function<void(Result<ClientAnswer>)>;

  ClientSession(HttpLoop& loop, const Clock& clock, const QbittorrentSettings& settings);

  // Any answer but 401 and 403 is given back as it is. Faults: `client_unreachable` (retryable);
  // `client_refused_login`, `client_banned`, `client_not_let_in`, `client_unknown`,
  // `client_too_old` (environment: only an operator can mend them); `client_garbage`,
  // `client_busy` (retryable).
  void ask(ClientCall call, Then then);

  // Z-1: it was unreachable not long ago: what it does not list may still be there.
  bool is_settling() const;
  const std::optional<ApiVersion>& version() const { return version_; }

 private:
  struct Waiting {
    ClientCall call;
    Then then;
    bool again = false;  // It was sent before, and we were not known.
  };

  void pump();
  void send(Waiting waiting);
  void see(Waiting waiting, int generation, Result<HttpWhole> answer);
  HttpAsk ask_for(const ClientCall& call) const;
  HttpBounds bounds_for(const ClientCall& call) const;
  void take_cookies(const HttpHead& head);
  std::string cookies() const;

  void log_in();
  void see_login(Result<HttpWhole> answer);
  void ask_version();
  void see_version(Result<HttpWhole> answer);
  bool has_login() const { return settings_.api_key.empty() && !settings_.username.empty(); }

  // Nobody gets in: everybody who waits is told.
  void turn_away(const Fault& fault);
  void came_back();
  void tell_trouble(const Fault* fault);

  HttpLoop& loop_;
  const Clock& clock_;
  const QbittorrentSettings& settings_;
  HttpAsker asker_;

  std::deque<Waiting> queue_;
  int running_ = 0;
  int generation_ = 0;  // Counts logins.
  bool ready_ = false;
  bool entering_ = false;
  std::map<std::string, std::string> cookies_;  // By name, each as the pair it came as.
  std::optional<ApiVersion> version_;
  std::optional<Fault> refused_;   // For good: only an operator can mend it.
  std::optional<Fault> held_off_;  // For a while:
  Steady held_until_;
  bool was_away_ = false;
  std::optional<Steady> settled_at_;
  std::string trouble_;  // The code that was last told.
};

}  // namespace haul

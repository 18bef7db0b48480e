#pragma once
// Sends requests to one media server and sorts out the answers that are no answers. Lives on the
// loop's thread.

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/fault.h"
#include "io/web/http_fetcher.h"

namespace haul::media_server {

struct ServerAccess {
  std::string name;           // "Plex", for messages.
  std::string url;            // "http://127.0.0.1:32400"
  std::string url_setting;    // "sink.plex.url", for messages.
  std::string token_setting;  // "sink.plex.token"
  std::string ca_file;
  std::string user_agent = "haul";
  // Called when the server's fault changes, with null when it is over. Runs on the loop's thread.
  std::function<void(const Fault*)> on_trouble;
};

struct ServerCall {
  std::string method = "GET";
  std::string target;  // Path and query. Never has a token: proxies and servers log it.
  std::vector<std::string> headers{};
  std::string body{};  // JSON of a POST.
  std::size_t body_max = std::size_t{1} << 18U;
  std::string not_found{};  // The code of the fault (permanent) that a 404 is. Default: garbage.
};

// A fault that never leaves the adapters: the answer is longer than ServerCall::body_max.
inline constexpr const char* kTooLong = "too_long";

class ServerCalls {
 public:
  using Then = std::function<void(Result<std::string>)>;  // The body of a good answer.

  ServerCalls(io::HttpLoop& loop, ServerAccess access);

  // Calls `then` once. Follows no redirect, because the headers carry the token. Faults: those of
  // the seam, and kTooLong.
  void ask(ServerCall call, Then then);

 private:
  struct WaitingCall {
    ServerCall call;
    Then then;
  };
  void pump();
  void send(WaitingCall waiting);
  Result<std::string> judge(Result<io::HttpWhole> answer, const std::string& not_found) const;
  void tell_trouble(const Fault* fault);

  const ServerAccess access_;
  io::HttpFetcher fetcher_;
  std::deque<WaitingCall> queue_;
  int running_ = 0;
  std::string trouble_;  // The code last passed to on_trouble.
};

// What a status other than 2xx means.
std::optional<Fault> fault_of_status(const ServerAccess& access, int status);
// The answer is not what this server's API sends.
Fault server_garbage(std::string_view name, std::string_view what);
// kTooLong as `server_garbage`; all else as it is.
Fault as_told_outside(const Fault& fault);

}  // namespace haul::media_server

#pragma once
// Asks Yandex Disk's API. The token goes to the API's own host only, and redirects are not
// followed. Lives on the loop's thread.

#include <deque>
#include <expected>
#include <functional>
#include <optional>
#include <string>

#include "base/clock.h"
#include "engine/yandexdisk/replies.h"
#include "engine/yandexdisk/settings.h"
#include "engine/yandexdisk/tokens.h"
#include "io/web/http_fetcher.h"

namespace haul::yandexdisk {

struct DiskReply {
  std::string body;
  bool was_public = true;  // The API's address is public. Then links must be public, too.
};

class DiskApi {
 public:
  using Answer = std::expected<DiskReply, DiskRefusal>;
  using Then = std::function<void(const Answer&)>;

  DiskApi(io::HttpLoop& loop, const Clock& clock, TokenKeeper& keeper,
          const DiskSettings& settings);

  // GET of a path below the API's address, such as "/v1/disk". Calls `then` once, with a good
  // answer or a refusal. A refused token is replaced once (Z-14). If that does not help, or if haul
  // cannot reach the disk or its OAuth server, the whole disk is held: all calls are refused with
  // that fault, and one in 30 s tries again.
  void ask(std::string target, Then then);
  // What became of a request to the host of a download link: null if it sends the file, or why it
  // cannot be reached.
  void see_link_host(const Fault* fault);

 private:
  struct WaitingCall {
    std::string target;
    Then then;
    std::string refused{};  // The token that was refused before.
  };
  void pump();
  void send(WaitingCall waiting);
  void see(WaitingCall waiting, const std::string& token, Result<io::HttpWhole> answer);
  void replace(WaitingCall waiting, const std::string& token);
  void end(const WaitingCall& waiting, const Answer& answer);
  void hold(const Fault& why);
  void let_go();
  bool is_held();
  void tell_trouble();

  const Clock& clock_;
  const DiskSettings& settings_;
  io::HttpFetcher fetcher_;
  DiskTokens tokens_;
  std::deque<WaitingCall> queue_;
  int running_ = 0;
  std::optional<Fault> held_;       // Why the disk is held.
  std::optional<Fault> link_host_;  // Why a link's host cannot be reached.
  Steady next_try_{};
  std::string trouble_;  // The code last passed to on_trouble.
};

// "/v1/disk/resources?path=disk%3A%2Fa.pdf&fields=…"
std::string meta_target(const std::string& path);
std::string link_target(const std::string& path);
std::string page_target(const std::string& folder, std::int64_t offset, std::int64_t limit);

}  // namespace haul::yandexdisk

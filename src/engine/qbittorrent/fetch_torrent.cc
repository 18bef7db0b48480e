#include "engine/qbittorrent/fetch_torrent.h"

#include <fmt/core.h>

#include "base/url.h"
#include "engine/qbittorrent/magnet.h"
#include "engine/qbittorrent/torrent_file.h"
#include "io/web/http_fault.h"

namespace haul::qbittorrent {
namespace {

constexpr int kHopsMax = 10;

Fault permanent(std::string code, std::string detail) {
  return {FaultKind::permanent, std::move(code), std::move(detail)};
}

Fault fault_of(int status) {
  return {io::kind_of_status(status), fmt::format("http_{}", status),
          fmt::format("the server of the torrent file answered {}", status)};
}

class TorrentFetch : public std::enable_shared_from_this<TorrentFetch> {
 public:
  using Then = std::function<void(Result<FetchedTorrent>)>;
  TorrentFetch(Env& env, Url url, Then then)
      : env_{env}, url_{std::move(url)}, reach_{env.settings.reach}, then_{std::move(then)} {}

  void send() {
    const io::HttpRequest request{.url = url_.text,
                                  .user = url_.user,
                                  .password = url_.password,
                                  .user_agent = env_.settings.user_agent,
                                  .ca_file = env_.settings.ca_file,
                                  .decode = true,
                                  .reach = reach_};
    env_.web.fetch(request, {.body_max = kTorrentBytesMax, .within = Millis{60'000}},
                   [self = shared_from_this()](Result<io::HttpWhole> answer) {
                     self->see(std::move(answer));
                   });
  }

 private:
  void see(Result<io::HttpWhole> answer) {
    if (!answer) {
      Fault fault = answer.error();
      if (fault.kind == FaultKind::rejected) fault.kind = FaultKind::permanent;
      return then_(std::unexpected{std::move(fault)});
    }
    const int status = answer->head.status;
    const std::string location{answer->head.find("location")};
    if (status >= 300 && status < 400 && !location.empty()) return hop(*answer, location);
    if (status != 200) return then_(std::unexpected{fault_of(status)});
    then_(FetchedTorrent{.magnet = {}, .bytes = std::move(answer->body)});
  }

  void hop(const io::HttpWhole& from, const std::string& location) {
    if (is_magnet(location)) return then_(FetchedTorrent{.magnet = location, .bytes = {}});
    if (++hops_ > kHopsMax)
      return then_(std::unexpected{permanent("too_many_redirects", "more than 10 redirects")});
    auto to = join_url(url_, location);
    if (!to) return then_(std::unexpected{permanent("bad_redirect", to.error().detail)});
    if (url_.scheme == "https" && to->scheme == "http")
      return then_(std::unexpected{permanent("insecure_redirect", "from https to http")});
    if (from.was_public) reach_.private_too = false;
    url_ = *std::move(to);
    send();
  }

  Env& env_;
  Url url_;
  io::Reach reach_;
  Then then_;
  int hops_ = 0;
};

}  // namespace

void fetch_torrent(Env& env, const std::string& address,
                   std::function<void(Result<FetchedTorrent>)> then) {
  auto url = parse_url(address);
  if (!url) return then(std::unexpected{permanent("bad_uri", url.error().detail)});
  std::make_shared<TorrentFetch>(env, *std::move(url), std::move(then))->send();
}

}  // namespace haul::qbittorrent

// Logs in once and reports the outcome, for an operator who sets haul up.

#include <future>

#include "engine/qbittorrent/qbittorrent.h"
#include "engine/qbittorrent/session.h"

namespace haul::qbittorrent {

Result<ApiVersion> probe_qbittorrent(const Clock& clock, const QbittorrentSettings& settings) {
  const std::unique_ptr<io::HttpLoop> loop = io::make_http_loop(clock);
  std::unique_ptr<WebApiSession> session;
  std::promise<Result<ApiVersion>> answered;
  loop->post([&] {
    session = std::make_unique<WebApiSession>(*loop, clock, settings);
    session->ask({.action = "app/webapiVersion"}, [&](const Result<WebApiReply>& answer) {
      if (!answer) return answered.set_value(std::unexpected{answer.error()});
      answered.set_value(read_version(answer->body));
    });
  });
  const Result<ApiVersion> version = answered.get_future().get();
  std::promise<void> cleared;
  loop->post([&] {
    session.reset();
    cleared.set_value();
  });
  cleared.get_future().wait();
  return version;
}

}  // namespace haul::qbittorrent

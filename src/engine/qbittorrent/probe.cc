#include "engine/qbittorrent/probe.h"

#include <future>

#include "engine/qbittorrent/qbittorrent.h"

namespace haul::qbittorrent {

Result<ProbeAnswer> ask_once(const Clock& clock, const QbittorrentSettings& settings,
                             const WebApiCall& call) {
  const std::unique_ptr<io::HttpLoop> loop = io::make_http_loop(clock);
  std::unique_ptr<WebApiSession> session;
  std::promise<Result<ProbeAnswer>> answered;
  loop->post([&] {
    session = std::make_unique<WebApiSession>(*loop, clock, settings);
    session->ask(call, [&](const Result<WebApiReply>& reply) {
      if (!reply) return answered.set_value(std::unexpected{reply.error()});
      answered.set_value(ProbeAnswer{*reply, session->version().value_or(ApiVersion{})});
    });
  });
  Result<ProbeAnswer> answer = answered.get_future().get();
  std::promise<void> cleared;
  loop->post([&] {
    session.reset();
    cleared.set_value();
  });
  cleared.get_future().wait();
  return answer;
}

Result<ApiVersion> probe_qbittorrent(const Clock& clock, const QbittorrentSettings& settings) {
  const auto answer = ask_once(clock, settings, {.action = "app/webapiVersion"});
  if (!answer) return std::unexpected{answer.error()};
  return read_version(answer->reply.body);
}

}  // namespace haul::qbittorrent

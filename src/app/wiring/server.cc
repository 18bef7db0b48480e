#include "app/wiring/server.h"

#include <functional>
#include <utility>

#include "api/routes.h"

namespace haul::app {
namespace {

constexpr std::size_t kThreads = 64;  // That many requests can wait for the disk at once.
constexpr std::size_t kRequestsMax = 4'096;
constexpr std::size_t kHashThreads = 2;  // Hashing a password takes 19 MiB and a core.
constexpr std::size_t kHashesWaitingMax = 64;

WebReply too_many() { return api::Api::refuse(503, "too many requests are waiting"); }

void post(Pool& pool, WebRequest request, io::WebAnswer answer,
          std::function<WebReply(const WebRequest&)> by) {
  const auto both =
      std::make_shared<std::pair<WebRequest, io::WebAnswer>>(std::move(request), std::move(answer));
  const bool taken = pool.post([both, by = std::move(by)] { both->second(by(both->first)); });
  if (!taken) both->second(too_many());
}

}  // namespace

ApiServer::ApiServer(api::Api& api, const ServerConfig& config, Lent<io::HttpServer>& lent)
    : api_{api},
      adds_{api, kRequestsMax},
      hash_pool_{kHashThreads, kHashesWaitingMax},
      pool_{kThreads, kRequestsMax},
      server_{io::make_http_server(
          server_settings(config),
          [this](WebRequest request, io::WebAnswer answer) {
            take(std::move(request), std::move(answer));
          },
          api::Api::refuse)},
      loan_{lent.lend(*server_)} {}

io::ServerSettings ApiServer::server_settings(const ServerConfig& config) {
  io::ServerSettings settings{.address = config.listen.address, .port = config.listen.port};
  settings.body_max = api::body_max;
  settings.trusted_proxies = config.trusted_proxies;
  settings.admit = [this](WebRequest head, io::WebAnswer answer) {
    post(pool_, std::move(head), std::move(answer),
         [this](const WebRequest& each) { return api_.admit_head(each); });
  };
  return settings;
}

void ApiServer::take(WebRequest request, io::WebAnswer answer) {
  // Adds come in large numbers, and are cheap only in groups.
  if (api::Api::is_add(request)) {
    api::AddQueue::PendingAdd pending{std::move(request), std::move(answer)};
    if (!adds_.put(pending)) pending.answer(too_many());
    return;
  }
  Pool& pool = api::Api::hashes_password(request) ? hash_pool_ : pool_;
  post(pool, std::move(request), std::move(answer),
       [this](const WebRequest& each) { return api_.answer(each); });
}

}  // namespace haul::app

#pragma once
// The daemon's HTTP server: passes requests to the API, each on a thread that may wait for it.

#include <cstdint>
#include <memory>

#include "api/add/add_queue.h"
#include "api/api.h"
#include "app/config/server.h"
#include "app/pool.h"
#include "base/lent.h"
#include "io/web/http_server.h"

namespace haul::app {

class ApiServer {
 public:
  // Listens from here on, and lends its server to those who wake its streams. Throws
  // std::runtime_error if it cannot listen at the address.
  ApiServer(api::Api& api, const ServerConfig& config, Lent<io::HttpServer>& lent);
  // Stops listening, drops the requests that wait, and waits for those at work.
  ~ApiServer() = default;
  ApiServer(const ApiServer&) = delete;
  ApiServer& operator=(const ApiServer&) = delete;

  std::uint16_t port() const { return server_->port(); }

 private:
  io::ServerSettings server_settings(const ServerConfig& config);
  void take(WebRequest request, io::WebAnswer answer);

  api::Api& api_;
  api::AddQueue adds_;
  Pool hash_pool_;
  Pool pool_;
  std::unique_ptr<io::HttpServer> server_;
  Lent<io::HttpServer>::Loan loan_;  // Ends before the server does.
};

}  // namespace haul::app
